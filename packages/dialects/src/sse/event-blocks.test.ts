import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { EventBlocks, type Block } from './event-blocks.ts';
import { createEventStore } from './event-store.ts';

const EVENT = 'event: a\r\ndata: {"text":"0123456789"}\r\n\r\n';
const getBytes = (block: Block) => (Buffer.isBuffer(block) ? block : Buffer.concat(block.store.pieces()));

/** The blocks of a stream that is cut at these offsets. */
function divide(stream: string, cuts: readonly number[], largeBytes: number): string[] {
  const blocks = new EventBlocks(createEventStore, largeBytes);
  const divided: Block[] = [];
  let from = 0;
  for (const cut of [...cuts, stream.length]) {
    const pushed = blocks.push(Buffer.from(stream.slice(from, cut)));
    if (pushed !== null) divided.push(...(Buffer.isBuffer(pushed) ? [pushed] : pushed));
    from = cut;
  }
  const rest = blocks.finish();
  if (rest !== null) divided.push(rest);
  return divided.map((block) => getBytes(block).toString());
}

it.each([
  ['CRLF', EVENT],
  ['LF', EVENT.replaceAll('\r', '')],
])('large events keep their whole blank line wherever a stream is cut: %s', (_name, event) => {
  const stream = event + event;
  for (let cut = 0; cut <= stream.length; cut += 1)
    for (const step of [1, stream.length])
      expect(divide(stream, cut === 0 ? [] : [cut, Math.min(cut + step, stream.length)], 20)).toEqual([
        event,
        event,
      ]);
});

it('a large event that ends with CR is complete at the end of the stream', () => {
  const event = 'data: 0123456789 0123456789\r\r';
  expect(divide(event, [event.length - 1], 20)).toEqual([event]);
});

it.each([20, 1_000])(
  'nothing of a chunk is kept: its memory may be used again (large above %i bytes)',
  (largeBytes) => {
    const stream = Buffer.from(EVENT.repeat(3));
    for (let size = 1; size < EVENT.length * 2; size += 1) {
      const blocks = new EventBlocks(createEventStore, largeBytes);
      const memory = Buffer.alloc(size);
      let seen = '';
      const see = (block: Block) => void (seen += getBytes(block).toString());
      for (let at = 0; at < stream.length; at += size) {
        const chunk = memory.subarray(0, stream.copy(memory, 0, at, at + size));
        const pushed = blocks.push(chunk);
        if (pushed !== null) (Buffer.isBuffer(pushed) ? [pushed] : pushed).forEach(see);
        memory.fill('?');
      }
      const rest = blocks.finish();
      if (rest !== null) see(rest);
      expect(seen).toBe(stream.toString());
    }
  },
);
