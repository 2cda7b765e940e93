import { Buffer } from 'node:buffer';
import type { OutlineRules } from '../json/json-outline.ts';
import { LargeEvent } from './large-event.ts';
import { LARGE_EVENT_BYTES } from './oversize-event.ts';
import { MEASURING } from './outline-rules.ts';

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
  /** True: the stream is in the middle of a large event. */
  readonly isInLargeEvent: boolean;
  /** @throws OversizeEventError if one event is larger than 64 MiB. That event is dropped: only `finish` may follow. */
  push(bytes: Buffer): SseEvent[];
  /**
   * The stream has closed. The standard drops an event that no blank line ends; here it is returned, because a last
   * `data: [DONE]` often comes without one, and a truncated JSON text cannot be parsed anyway.
   */
  finish(): SseEvent[];
}

/**
 * Reads server-sent events from bytes, however they are cut
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream). Of the data of a large event,
 * only an outline is returned.
 */
export function createSseParser(rules: OutlineRules = MEASURING, largeBytes = LARGE_EVENT_BYTES): SseParser {
  return new EventParser(rules, largeBytes);
}

class EventParser implements SseParser {
  readonly #rules: OutlineRules;
  readonly #largeBytes: number;
  #large: LargeEvent | null = null;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #isStart = true;
  /** The last piece ended with CR: an LF at the start of the next one belongs to it. */
  #skipsLf = false;
  #name: string | null = null;
  #data: string[] = [];
  #dataLength = 0;

  constructor(rules: OutlineRules, largeBytes: number) {
    this.#rules = rules;
    this.#largeBytes = largeBytes;
  }

  get isInLargeEvent(): boolean {
    return this.#large !== null;
  }

  push(bytes: Buffer): SseEvent[] {
    if (this.#large !== null || bytes.length > this.#largeBytes) return this.#pushLarge(bytes);
    const events = this.#pushSmall(bytes);
    if (this.#heldBytes + this.#dataLength > this.#largeBytes) this.#openLarge();
    return events;
  }

  #pushSmall(bytes: Buffer): SseEvent[] {
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
    if (this.#large !== null) return this.#endLarge(this.#large);
    const rest = this.#take(Buffer.alloc(0));
    const events = rest === '' ? [] : this.#readLines(`${rest}\n`);
    this.#dispatch(events);
    return events;
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
  }

  #pushLarge(bytes: Buffer): SseEvent[] {
    const events: SseEvent[] = [];
    let rest = bytes;
    while (rest.length > 0) {
      const large = this.#large;
      if (large === null) {
        events.push(...this.push(rest.subarray(0, this.#largeBytes)));
        rest = rest.subarray(this.#largeBytes);
        continue;
      }
      const end = this.#readLarge(large, rest);
      if (end < 0) break;
      events.push(...this.#endLarge(large));
      this.#skipsLf = end === rest.length && rest[end - 1] === CR;
      rest = rest.subarray(end);
    }
    return events;
  }

  /** What has come of the event so far is read again. */
  #openLarge(): void {
    const name = this.#name === null ? '' : `event: ${this.#name}\n`;
    const lines = this.#data.map((line) => `data: ${line}\n`).join('');
    // The LF that may follow belongs to the last line.
    const before = this.#skipsLf ? `${name}${lines}`.replace(/\n$/, '\r') : name + lines;
    this.#skipsLf = false;
    const large = new LargeEvent(this.#rules);
    this.#large = large;
    this.#forget();
    this.#readLarge(large, Buffer.from(before));
    this.#readLarge(large, this.#takeHeld(Buffer.alloc(0)));
  }

  #readLarge(large: LargeEvent, bytes: Buffer): number {
    try {
      return large.push(bytes);
    } catch (error) {
      // `finish` must not read what came of it: earlier events may have completed the response.
      this.#large = null;
      throw error;
    }
  }

  #endLarge({ name, data }: LargeEvent): SseEvent[] {
    this.#large = null;
    return data === '' ? [] : [{ event: name, data }];
  }

  /** @returns the text of what is held and of `bytes`, which end with a line */
  #take(bytes: Buffer): string {
    return this.#takeHeld(bytes).toString('utf8');
  }

  #takeHeld(bytes: Buffer): Buffer {
    let whole = this.#heldBytes === 0 ? bytes : Buffer.concat([...this.#held, bytes]);
    this.#held = [];
    this.#heldBytes = 0;
    if (this.#isStart && whole.length > 0) {
      this.#isStart = false;
      if (whole.subarray(0, BOM.length).equals(BOM)) whole = whole.subarray(BOM.length);
    }
    return whole;
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
    // With its line end: empty lines need memory too.
    this.#dataLength += value.length + 1;
  }

  #dispatch(events: SseEvent[]): void {
    const data = this.#data.length === 1 ? this.#data[0] : this.#data.join('\n');
    if (data !== undefined && data !== '') events.push({ event: this.#name, data });
    this.#forget();
  }

  #forget(): void {
    this.#name = null;
    this.#data = [];
    this.#dataLength = 0;
  }
}
