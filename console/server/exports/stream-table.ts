import type { Cell, TableText } from './table-text.ts';

/**
 * Streams a table at the pace of its reader. If its rows fail, the stream breaks, so that no browser treats it as
 * complete; if the reader disconnects, the rows are released.
 * @param onEnd called once, in every case
 */
export function streamTable(
  text: TableText,
  rows: AsyncIterable<readonly (readonly Cell[])[]>,
  onEnd: () => void = () => undefined,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const source = rows[Symbol.asyncIterator]();
  let hasEnded = false;
  // A reader that disconnects while rows are pending ends the stream, and the rows when they arrive.
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
