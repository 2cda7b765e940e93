import { describe, expect, it } from 'vitest';
import { createPasswordHasher, PasswordHasherBusyError } from './password.ts';

describe('createPasswordHasher', () => {
  const hasher = createPasswordHasher();

  it('creates salted argon2id hashes with OWASP parameters', async () => {
    const [first, second] = await Promise.all([
      hasher.hash('a long password'),
      hasher.hash('a long password'),
    ]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(second).not.toBe(first);
  });

  it('accepts the right password and rejects others', async () => {
    const stored = await hasher.hash('a long password');
    expect(await hasher.verify(stored, 'a long password')).toBe(true);
    expect(await hasher.verify(stored, 'a long passwore')).toBe(false);
  });

  it('accepts the password in another Unicode form', async () => {
    const stored = await hasher.hash('Zu\u0308rich ist scho\u0308n');
    expect(await hasher.verify(stored, 'Z\u00fcrich ist sch\u00f6n')).toBe(true);
  });

  it('rejects all passwords for an unknown email or an invalid hash', async () => {
    expect(await hasher.verify(null, 'a long password')).toBe(false);
    expect(await hasher.verify('no password', 'a long password')).toBe(false);
  });

  it('takes the same time for unknown and known emails', async () => {
    const stored = await hasher.hash('a long password');
    const toMilliseconds = async (storedHash: string | null) => {
      const startedAt = performance.now();
      await hasher.verify(storedHash, 'wrong password');
      return performance.now() - startedAt;
    };
    // In turns, and the fastest of each: other tests use the processor too.
    let [known, unknown] = [Infinity, Infinity];
    for (let turn = 0; turn < 10; turn++) {
      known = Math.min(known, await toMilliseconds(stored));
      unknown = Math.min(unknown, await toMilliseconds(null));
    }
    expect(unknown).toBeGreaterThan(known / 3);
    expect(unknown).toBeLessThan(known * 3);
  });

  it('rejects a burst instead of queueing without limit', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 80 }, () => hasher.hash('a long password')),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.length).toBeGreaterThanOrEqual(10);
    expect(refused.every((result) => result.reason instanceof PasswordHasherBusyError)).toBe(true);
    expect(await hasher.hash('a long password')).toMatch(/^\$argon2id/);
  });
});
