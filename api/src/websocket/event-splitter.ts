import type { Buffer } from 'node:buffer';
import { EVENT_END } from '@tollgate/dialects/sse/event-end';

const DATA_LINE = /^data:[ ]?(.*)$/gm;

/** Reads the data of server-sent events. Bytes are one character each. */
export class EventSplitter {
  /** The start of an event that is not complete. */
  #rest = '';

  /** True between two events. */
  get isBetween(): boolean {
    return this.#rest === '';
  }

  /** @returns the data of each event that is complete; events without data, such as pings, are left out */
  push(bytes: string): string[] {
    const text = this.#rest + bytes;
    const found: string[] = [];
    let from = 0;
    for (const { 0: end, index } of text.matchAll(EVENT_END)) {
      const data = readData(text.slice(from, index));
      if (data !== '') found.push(data);
      from = index + end.length;
    }
    this.#rest = text.slice(from);
    return found;
  }
}

/** Several lines of data are one text: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream */
function readData(event: string): string {
  return Array.from(event.matchAll(DATA_LINE), ([, line]) => line).join('\n');
}

/** Lines before the data are short. */
const HEAD_BYTES = 1024;
const DATA_START = /(?:^|[\r\n])data:[ ]?/;
const LINE_ENDS = /^[\r\n]{1,4}$/;

/**
 * Finds the data of a large event without searching all of it for lines and events, which blocks the event loop.
 * @returns null if it is not one event with one line of data
 */
export function findLargeData(event: Buffer): Buffer | null {
  const start = DATA_START.exec(event.toString('latin1', 0, HEAD_BYTES));
  if (start === null) return null;
  const from = start.index + start[0].length;
  const ends = [event.indexOf('\n', from), event.indexOf('\r', from)].filter((end) => end >= 0);
  const end = Math.min(...ends);
  if (ends.length === 0 || event.length - end > 4) return null;
  return LINE_ENDS.test(event.toString('latin1', end)) ? event.subarray(from, end) : null;
}
