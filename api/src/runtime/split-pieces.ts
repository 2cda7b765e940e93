import type { Buffer } from 'node:buffer';

/** Splits the bytes into pieces of at most `most` bytes, without copying. */
export function splitPieces(pieces: readonly Buffer[], most: number): Buffer[] {
  return pieces.flatMap((piece) =>
    Array.from({ length: Math.ceil(piece.length / most) }, (_, at) =>
      piece.subarray(at * most, (at + 1) * most),
    ),
  );
}
