import type { Buffer } from 'node:buffer';
import { findEventStart } from './events-end.ts';

const LF = 0x0a;
const CR = 0x0d;

export interface EventSpan {
  /** Offset of the event's first byte. */
  start: number;
  /** Offset behind the blank line that ends it. */
  end: number;
  /** null: the stream sent none. */
  name: string | null;
  /** The event's data lines, joined by LF. */
  data: string;
}

/** Finds the event that the byte at `offset` belongs to, in a block of complete events. */
export function readEventAround(block: Buffer, offset: number): EventSpan {
  const start = findEventStart(block, offset);
  const end = endOfEvent(block, offset);
  const text = block.toString('utf8', start, end);
  // Nearly every event without a name is one line.
  if (text.startsWith('data:') && text.indexOf('\n') === text.length - 2 && text.endsWith('}\n\n'))
    return { start, end, name: null, data: text.slice(5, -2).trimStart() };
  const lines = text.split(/\r?\n/);
  const data = lines
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trim())
    .join('\n');
  const name =
    lines
      .find((line) => line.startsWith('event:'))
      ?.slice(6)
      .trim() ?? '';
  return { start, end, name: name === '' ? null : name, data };
}

/** Looks no further than the event: a block of many events is read in linear time. */
function endOfEvent(block: Buffer, offset: number): number {
  for (let at = block.indexOf(LF, offset); at >= 0; at = block.indexOf(LF, at + 1)) {
    if (block[at + 1] === LF) return at + 2;
    if (block[at + 1] === CR && block[at + 2] === LF) return at + 3;
  }
  return block.length;
}
