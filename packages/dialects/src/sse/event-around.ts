import type { Buffer } from 'node:buffer';
import { findEventsEnd } from './events-end.ts';

export interface EventSpan {
  /** Offset of the event's first byte. */
  start: number;
  /** Offset behind the blank line that ends it. */
  end: number;
  /** The event's data lines, joined by LF. */
  data: string;
}

/** Finds the event that the byte at `offset` belongs to, in a block of complete events. */
export function readEventAround(block: Buffer, offset: number): EventSpan {
  const start = findEventsEnd(block.subarray(0, offset));
  const lf = block.indexOf('\n\n', offset);
  const crlf = block.indexOf('\n\r\n', offset);
  const ends = [lf < 0 ? Infinity : lf + 2, crlf < 0 ? Infinity : crlf + 3, block.length];
  const end = Math.min(...ends);
  const lines = block.toString('utf8', start, end).split(/\r?\n/);
  const data = lines
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trim())
    .join('\n');
  return { start, end, data };
}
