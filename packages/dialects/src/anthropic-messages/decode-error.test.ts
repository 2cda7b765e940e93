import { expect, it } from 'vitest';
import { decodeAnthropicError } from './decode-error.ts';

const read = (message: string) =>
  decodeAnthropicError(400, { type: 'error', error: { type: 'invalid_request_error', message } }).message;

it('reads the start of a very long message', () => {
  expect(read('word '.repeat(100_000))).toBe(`${'word '.repeat(400)}…`);
});

it('keeps no part of a word that the cut divides', () => {
  expect(read(`${'word '.repeat(399)}secret%2Dof-the.provider`)).toBe(`${'word '.repeat(399)}…`);
  expect(read('m'.repeat(500_000))).toBe('…');
});
