import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countBase64Bytes } from './likely-tokens.ts';

const RUN = /[A-Za-z0-9+/=]{512,}/g;

describe('base64 bytes', () => {
  it('are counted in runs of 512 and more, at any position', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.integer({ min: 500, max: 1_600 }).map((length) => 'Zm9v'.repeat(400).slice(0, length)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const body = Buffer.from(pieces.join(''));
        const expected = [...body.toString('latin1').matchAll(RUN)].reduce(
          (sum, [run]) => sum + run.length,
          0,
        );
        expect(countBase64Bytes(body)).toBe(expected);
      }),
    );
  });

  it('are counted in a run of 30 MB', () => {
    const bytes = 30 * 1024 * 1024;
    expect(countBase64Bytes(Buffer.alloc(bytes, 65))).toBe(bytes);
  });
});
