import { Buffer } from 'node:buffer';
import { EventStreamCodec, Int64 } from '@smithy/core/event-streams';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFrame } from './decode-frame.ts';

/** Amazon's own codec, as a reference. */
const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString('utf8'),
  (text) => Buffer.from(text, 'utf8'),
);

const headerValue = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((value) => ({ type: 'string' as const, value })),
  fc.boolean().map((value) => ({ type: 'boolean' as const, value })),
  fc.integer({ min: -128, max: 127 }).map((value) => ({ type: 'byte' as const, value })),
  fc.integer({ min: -32_768, max: 32_767 }).map((value) => ({ type: 'short' as const, value })),
  fc.integer().map((value) => ({ type: 'integer' as const, value })),
  fc.integer().map((value) => ({ type: 'long' as const, value: Int64.fromNumber(value) })),
  fc.uint8Array().map((value) => ({ type: 'binary' as const, value })),
  fc.constant({ type: 'timestamp' as const, value: new Date(1_700_000_000_000) }),
  fc.uuid().map((value) => ({ type: 'uuid' as const, value })),
);
const headerName = fc.stringMatching(/^[:a-z][a-z-]{0,40}$/);

describe('decodeFrame', () => {
  it("reads every frame that Amazon's own codec writes, with headers of every type", () => {
    fc.assert(
      fc.property(fc.dictionary(headerName, headerValue), fc.uint8Array(), (headers, body) => {
        const { headers: read, payload } = decodeFrame(Buffer.from(codec.encode({ headers, body })));
        const texts = Object.entries(headers).flatMap(([name, { type, value }]) =>
          type === 'string' ? [[name, value]] : [],
        );
        expect(Object.fromEntries(read)).toEqual(Object.fromEntries(texts));
        expect([...payload]).toEqual([...body]);
      }),
    );
  });

  it('refuses a frame with a changed byte', () => {
    const frame = Buffer.from(
      codec.encode({ headers: { a: { type: 'string', value: 'b' } }, body: Buffer.from('{}') }),
    );
    for (let at = 0; at < frame.length; at += 1) {
      const broken = Buffer.from(frame);
      broken[at] = (broken[at] ?? 0) ^ 0x40;
      expect(() => decodeFrame(broken)).toThrow(RangeError);
    }
  });
});
