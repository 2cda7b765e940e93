import { Buffer } from 'node:buffer';
import { MAX_EVENT_BYTES, OversizeEventError } from './oversize-event.ts';

const LF = 0x0a;
const CR = 0x0d;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const LINE_END = /\r\n|\n|\r/;

/** One event of a stream; comments, ids and retry hints are left out. */
export interface SseEvent {
  /** null: the stream sent none. */
  event: string | null;
  data: string;
}

export interface SseParser {
  /** @throws OversizeEventError if one event is larger than 16 MiB. That event is dropped: only `finish` may follow. */
  push(bytes: Buffer): SseEvent[];
  /**
   * The stream has closed. The standard drops an event that no blank line ends; here it is returned, because a last
   * `data: [DONE]` often comes without one, and a truncated JSON text cannot be parsed anyway.
   */
  finish(): SseEvent[];
}

/**
 * Reads server-sent events from bytes, however they are cut
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream).
 */
export function createSseParser(): SseParser {
  return new EventParser();
}

class EventParser implements SseParser {
  #held: Buffer[] = [];
  #heldBytes = 0;
  #isStart = true;
  /** The last piece ended with CR: an LF at the start of the next one belongs to it. */
  #skipsLf = false;
  #name: string | null = null;
  #data: string[] = [];
  #dataLength = 0;

  push(bytes: Buffer): SseEvent[] {
    let piece = bytes;
    if (this.#skipsLf && piece.length > 0) {
      this.#skipsLf = false;
      if (piece[0] === LF) piece = piece.subarray(1);
    }
    const end = Math.max(piece.lastIndexOf(LF), piece.lastIndexOf(CR)) + 1;
    if (end === 0) {
      this.#hold(piece);
      return [];
    }
    // A line end is never part of a longer UTF-8 sequence: whole lines decode on their own.
    const lines = this.#take(piece.subarray(0, end));
    this.#hold(piece.subarray(end));
    this.#skipsLf = end === piece.length && piece[end - 1] === CR;
    return this.#readLines(lines);
  }

  finish(): SseEvent[] {
    const rest = this.#take(Buffer.alloc(0));
    const events = rest === '' ? [] : this.#readLines(`${rest}\n`);
    this.#dispatch(events);
    return events;
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    this.#checkSize();
  }

  /** @returns the text of what is held and of `bytes`, which end with a line */
  #take(bytes: Buffer): string {
    let whole = this.#heldBytes === 0 ? bytes : Buffer.concat([...this.#held, bytes]);
    this.#held = [];
    this.#heldBytes = 0;
    if (this.#isStart && whole.length > 0) {
      this.#isStart = false;
      if (whole.subarray(0, BOM.length).equals(BOM)) whole = whole.subarray(BOM.length);
    }
    return whole.toString('utf8');
  }

  #readLines(text: string): SseEvent[] {
    const events: SseEvent[] = [];
    const lines = text.includes('\r') ? text.split(LINE_END) : text.split('\n');
    // The text ends with a line end: what `split` finds behind it is no line.
    for (let at = 0; at < lines.length - 1; at += 1) this.#readLine(lines[at] ?? '', events);
    return events;
  }

  #readLine(line: string, events: SseEvent[]): void {
    if (line === '') {
      this.#dispatch(events);
      return;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') this.#name = value === '' ? null : value;
    if (field !== 'data') return;
    this.#data.push(value);
    this.#dataLength += value.length;
    this.#checkSize();
  }

  #dispatch(events: SseEvent[]): void {
    const data = this.#data.length === 1 ? this.#data[0] : this.#data.join('\n');
    if (data !== undefined && data !== '') events.push({ event: this.#name, data });
    this.#name = null;
    this.#data = [];
    this.#dataLength = 0;
  }

  #checkSize(): void {
    if (this.#heldBytes + this.#dataLength <= MAX_EVENT_BYTES) return;
    // `finish` must not read the rest of it: earlier events may have completed the response.
    this.#held = [];
    this.#heldBytes = 0;
    this.#dispatch([]);
    throw new OversizeEventError();
  }
}
