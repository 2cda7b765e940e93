import { expect, it } from 'vitest';
import { decodeSignature, encodeSignature } from './thinking-signature.ts';

it('reads a packed signature, and none with more values than a signature has', () => {
  const detail = { format: 'f', data: 'x'.repeat(100_000), id: 'rs_1' };
  expect(decodeSignature(encodeSignature(detail))).toEqual(detail);
  expect(decodeSignature(encodeSignature({ ...detail, more: Array(1_000).fill(1) }))).toBeNull();
});
