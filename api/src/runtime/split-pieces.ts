import { Buffer } from 'node:buffer';

/** Splits the bytes into pieces of at most `most` bytes, without copying. */
export function splitPieces(pieces: readonly Buffer[], most: number): Buffer[] {
  return pieces.flatMap((piece) =>
    Array.from({ length: Math.ceil(piece.length / most) }, (_, at) =>
      piece.subarray(at * most, (at + 1) * most),
    ),
  );
}

/** What is sent in pieces, in order: bytes, text, and functions that are called. */
export type Piece = Buffer | string | (() => void);

/** Calls the functions in front. @returns the next piece of at most `most` bytes, which is removed */
export function shiftPiece(pieces: Piece[], most: number): Buffer | undefined {
  for (;;) {
    const first = pieces.shift();
    if (first === undefined) return undefined;
    if (typeof first === 'function') first();
    if (typeof first === 'function' || first.length === 0) continue;
    if (typeof first !== 'string') {
      if (first.length > most) pieces.unshift(first.subarray(most));
      return first.subarray(0, most);
    }
    const end = endOfText(first, Math.floor(most / MAX_UNIT_BYTES));
    if (end < first.length) pieces.unshift(first.slice(end));
    return Buffer.from(first.slice(0, end));
  }
}

/** UTF-8 of one UTF-16 unit. */
const MAX_UNIT_BYTES = 3;

/** Never divides a surrogate pair. */
function endOfText(text: string, most: number): number {
  if (text.length <= most) return text.length;
  const isPair = (text.charCodeAt(most - 1) & 0xfc00) === 0xd800;
  return isPair ? most - 1 : most;
}

export function getLength(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}
