import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSealer } from './seal.ts';

const key = () => randomBytes(32).toString('base64');

describe('createSealer', () => {
  it('decrypts encrypted text, and uses a new nonce each time', () => {
    const sealer = createSealer(key());
    const sealed = sealer.seal('a secret ✓', 'provider:1');
    expect(sealer.open(sealed, 'provider:1')).toBe('a secret ✓');
    expect(sealed.includes('a secret')).toBe(false);
    expect(sealer.seal('a secret ✓', 'provider:1').equals(sealed)).toBe(false);
  });

  it('rejects another key, another context and changed bytes', () => {
    const sealer = createSealer(key());
    const sealed = sealer.seal('a secret', 'provider:1');
    expect(() => createSealer(key()).open(sealed, 'provider:1')).toThrow(/auth|version/i);
    expect(() => sealer.open(sealed, 'provider:2')).toThrow(/auth|version/i);
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => sealer.open(changed, 'provider:1')).toThrow(/auth|version/i);
    }
  });

  it('rejects a key that is not 32 bytes', () => {
    expect(() => createSealer(randomBytes(16).toString('base64'))).toThrow('ENCRYPTION_KEY');
  });

  it.each([0, 1, 1024 * 1024, 3 * 1024 * 1024 + 7])('encrypts %s bytes in pieces as in one', async (size) => {
    const sealer = createSealer(key());
    const bytes = randomBytes(size);
    const sealed = await sealer.sealLarge(bytes, 'response:1');
    expect(sealer.openBytes(sealed, 'response:1').equals(bytes)).toBe(true);
    expect((await sealer.openLarge(sealer.seal(bytes, 'response:1'), 'response:1')).equals(bytes)).toBe(true);
    await expect(sealer.openLarge(sealed, 'response:2')).rejects.toThrow(/auth/i);
    sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
    await expect(sealer.openLarge(sealed, 'response:1')).rejects.toThrow(/auth/i);
  });
});
