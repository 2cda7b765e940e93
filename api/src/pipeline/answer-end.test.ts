import { Buffer } from 'node:buffer';
import { MAX_END_BYTES } from '@tollgate/dialects/usage/read-last-members';
import { expect, it } from 'vitest';
import { AnswerEnd } from './answer-end.ts';

const bytes = Buffer.from(Array.from({ length: 5 * MAX_END_BYTES + 17 }, (_, at) => at % 251));

it.each([1, 999, 16_384, MAX_END_BYTES, MAX_END_BYTES + 1, bytes.length])(
  'keeps the end of a response that arrives in pieces of %i bytes',
  (size) => {
    const end = new AnswerEnd();
    for (let at = 0; at < bytes.length; at += size) {
      end.add(bytes.subarray(at, at + size));
      const until = Math.min(at + size, bytes.length);
      const expected = bytes.subarray(Math.max(0, until - MAX_END_BYTES), until);
      if (size > 1 || until % 4_096 === 0) expect(end.bytes.equals(expected)).toBe(true);
    }
    expect(end.bytes.equals(bytes.subarray(-MAX_END_BYTES))).toBe(true);
  },
);
