import type { Buffer } from 'node:buffer';
import { splitPieces } from './split-pieces.ts';

const PIECE_BYTES = 64 * 1024;

/**
 * A stream of bytes that are in memory already: a piece at a time, when the caller has taken the one before.
 * @param stallMs a caller that takes nothing for so long is gone
 * @param onTaken called once, when the caller has taken all of it or has left
 */
export function pullPieces(
  pieces: readonly Buffer[],
  { stallMs, onTaken }: { stallMs: number; onTaken: () => void },
): ReadableStream<Uint8Array> {
  let left = splitPieces(pieces, PIECE_BYTES);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    clearTimeout(timer);
    left = [];
    onTaken();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        timer = setTimeout(() => giveUp(controller), stallMs);
      },
      async pull(controller) {
        // In a turn of its own: a caller on a fast network would take all of them in one.
        await new Promise((resolve) => setTimeout(resolve));
        clearTimeout(timer);
        const piece = left.shift();
        if (piece === undefined) {
          controller.close();
          end();
          return;
        }
        timer = setTimeout(() => giveUp(controller), stallMs);
        controller.enqueue(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength));
      },
      cancel: end,
    },
    // A piece is asked for when one is read.
    { highWaterMark: 0 },
  );

  function giveUp(controller: ReadableStreamDefaultController): void {
    end();
    controller.error(new Error('The caller takes nothing'));
  }
}
