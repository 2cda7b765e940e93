import type { Split } from './script.ts';

/**
 * Splits a body into separately written pieces.
 * @param natural the pieces that a provider would write
 */
export function splitBody(natural: readonly Buffer[], split: Split): Buffer[] {
  if (split === 'natural') return natural.filter((piece) => piece.length > 0);
  const body = Buffer.concat(natural);
  if (split === 'burst') return body.length === 0 ? [] : [body];
  return cutBySizes(body, split === 'every-byte' ? [1] : [split].flat());
}

/** Uses the sizes in turn, repeatedly, until the end of the body. */
function cutBySizes(body: Buffer, sizes: readonly number[]): Buffer[] {
  if (sizes.length === 0 || sizes.some((size) => size < 1)) throw new Error('A split needs sizes from 1 up');
  const pieces: Buffer[] = [];
  for (let offset = 0, turn = 0; offset < body.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(body.subarray(offset, offset + size));
    offset += size;
  }
  return pieces;
}

/** One piece per SSE event, with its blank line; a body without blank lines is one piece. */
export function splitAtEvents(body: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  let start = 0;
  for (let at = 0; at < body.length; at++) {
    const isEnd = body[at] === 0x0a && (body[at - 1] === 0x0a || body.subarray(at - 3, at).equals(CRLF_CR));
    if (!isEnd) continue;
    pieces.push(body.subarray(start, at + 1));
    start = at + 1;
  }
  if (start < body.length) pieces.push(body.subarray(start));
  return pieces;
}

const CRLF_CR = Buffer.from('\r\n\r');
