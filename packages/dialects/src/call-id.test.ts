import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packCallId, toBoundedCallId, toShortCallId, unpackCallId } from './call-id.ts';

const id = fc.stringMatching(/^[a-zA-Z0-9_-]{0,30}$/).filter((text) => !text.includes('--sig'));

describe('the id of a call', () => {
  it('carries a signature there and back, in characters that every dialect takes', () => {
    const signature = fc.oneof(fc.string({ unit: 'grapheme' }), fc.base64String());
    fc.assert(
      fc.property(id, signature, (given, sealed) => {
        const packed = packCallId(given, sealed);
        expect(packed).toMatch(/^[a-zA-Z0-9_-]+$/);
        expect(unpackCallId(packed)).toEqual({ id: given, signature: sealed });
      }),
    );
  });

  it('is itself if it carries no signature', () => {
    fc.assert(
      fc.property(id, (given) => {
        expect(unpackCallId(given)).toEqual({ id: given, signature: null });
      }),
    );
  });

  it('becomes nine letters and digits, always the same, and stays as it is if it fits', () => {
    const ids = Array.from({ length: 20_000 }, (_entry, index) => `toolu_${index}`);
    const short = ids.map(toShortCallId);
    expect(short.every((one) => /^[a-zA-Z0-9]{9}$/.test(one))).toBe(true);
    expect(new Set(short).size).toBe(ids.length);
    expect(ids.map(toShortCallId)).toEqual(short);
    expect(toShortCallId('aB3dE6gH9')).toBe('aB3dE6gH9');
  });

  it('becomes a short id that represents it if it is longer than a provider takes', () => {
    const long = `toolu_${'x'.repeat(60)}`;
    expect(toBoundedCallId(long, 64)).toMatch(/^call_[a-zA-Z0-9]{9}$/);
    expect(toBoundedCallId(long, 64)).toBe(toBoundedCallId(long, 40));
    expect(toBoundedCallId(`${long}y`, 64)).not.toBe(toBoundedCallId(long, 64));
    expect(toBoundedCallId('toolu_1', 40)).toBe('toolu_1');
  });
});
