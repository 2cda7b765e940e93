import type { Buffer } from 'node:buffer';

/** The same bytes in pieces of at most so many. Nothing is copied. */
export function splitPieces(pieces: readonly Buffer[], most: number): Buffer[] {
  return pieces.flatMap((piece) =>
    Array.from({ length: Math.ceil(piece.length / most) }, (_, at) =>
      piece.subarray(at * most, (at + 1) * most),
    ),
  );
}
