import type { Cell, TableText } from './table-text.ts';

/**
 * Streams a table at the pace of its reader. Where its rows fail the stream breaks, which no browser takes for the end of a
 * file; where the reader leaves, the rows are let go of.
 * @param onEnd called once, however it ends
 */
export function streamTable(
  text: TableText,
  rows: AsyncIterable<readonly (readonly Cell[])[]>,
  onEnd: () => void = () => undefined,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const source = rows[Symbol.asyncIterator]();
  let hasEnded = false;
  // A reader who leaves while rows are awaited ends it, and so do those rows when they come.
  const end = () => {
    if (!hasEnded) onEnd();
    hasEnded = true;
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(text.begin));
      },
      async pull(controller) {
        try {
          const next = await source.next();
          if (next.done !== true) {
            controller.enqueue(encoder.encode(text.rows(next.value)));
            return;
          }
        } catch (error) {
          end();
          throw error;
        }
        if (text.end !== '') controller.enqueue(encoder.encode(text.end));
        controller.close();
        end();
      },
      async cancel() {
        end();
        await source.return?.();
      },
    },
    { highWaterMark: 1 },
  );
}
