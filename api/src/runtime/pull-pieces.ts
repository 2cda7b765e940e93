import type { Buffer } from 'node:buffer';
import { splitPieces } from './split-pieces.ts';
import { watchSending, type SendingPace } from './watch-sending.ts';

const PIECE_BYTES = 64 * 1024;

/**
 * A stream of bytes in memory: each piece follows when the caller has taken the previous one.
 * @param stallMs a caller that takes nothing for this long is treated as disconnected
 * @param pace how slowly it may take the whole
 * @param onTaken called once, when the caller has taken everything or has disconnected
 */
export function pullPieces(
  pieces: readonly Buffer[],
  { stallMs, pace, onTaken }: { stallMs: number; pace?: SendingPace; onTaken: () => void },
): ReadableStream<Uint8Array> {
  let left = splitPieces(pieces, PIECE_BYTES);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let takenBytes = 0;
  let stopWatch: (() => void) | null = null;
  const end = () => {
    clearTimeout(timer);
    stopWatch?.();
    left = [];
    onTaken();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        timer = setTimeout(() => giveUp(controller), stallMs);
        stopWatch = watchSending(
          () => takenBytes,
          () => giveUp(controller),
          pace,
        );
      },
      async pull(controller) {
        // In a separate turn: a caller on a fast network would take all pieces in one.
        await new Promise((resolve) => setTimeout(resolve));
        clearTimeout(timer);
        const piece = left.shift();
        if (piece === undefined) {
          controller.close();
          end();
          return;
        }
        timer = setTimeout(() => giveUp(controller), stallMs);
        takenBytes += piece.byteLength;
        controller.enqueue(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength));
      },
      cancel: end,
    },
    // Pull only when a piece is read.
    { highWaterMark: 0 },
  );

  function giveUp(controller: ReadableStreamDefaultController): void {
    end();
    controller.error(new Error('The caller reads too slowly'));
  }
}
