import { expect, it } from 'vitest';
import { decodeAnthropicError } from './decode-error.ts';

it('reads the start of a very long message', () => {
  const error = { type: 'invalid_request_error', message: 'm'.repeat(500_000) };
  expect(decodeAnthropicError(400, { type: 'error', error }).message).toBe('m'.repeat(2_000));
});
