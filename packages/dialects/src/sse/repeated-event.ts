import type { Buffer } from 'node:buffer';
import type { TextMeter } from '../usage/text-meter.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;

/** The only thing that was found in an event: a string that is measured. */
export interface FoundText {
  /** The offset after its opening quote. */
  start: number;
  /** The offset of its closing quote. */
  end: number;
  meter: TextMeter;
}

/**
 * Recognizes events that differ from an inspected one in nothing but the text of the model, as most events of a stream do.
 * They contain nothing else that must be found.
 */
export class RepeatedEvent {
  /** Up to the text; empty: none is known. */
  #before = '';
  /** From the closing quote of the text. */
  #after = '';
  #meter: TextMeter | null = null;

  /** @param event one that is passed on as it came, and contains nothing to find but the text */
  learn(event: string, { start, end, meter }: FoundText): void {
    this.#before = event.slice(0, start);
    this.#after = event.slice(end);
    this.#meter = meter;
  }

  /** What another event contains may be a repetition no more. */
  forget(): void {
    this.#meter = null;
  }

  /**
   * Measures events of this kind, up to one of another kind.
   * @param text of the block, one character for each byte
   * @returns the offset after them
   */
  skip(block: Buffer, text: string, from: number): number {
    const meter = this.#meter;
    if (meter === null) return from;
    let at = from;
    while (isAt(text, at, this.#before)) {
      const start = at + this.#before.length;
      const end = endOfText(block, start);
      if (end <= start || !isAt(text, end, this.#after)) break;
      meter.addJson(block, start, end);
      at = end + this.#after.length;
    }
    return at;
  }
}

/** Slices are compared as memory, and `startsWith` character by character. */
function isAt(text: string, at: number, part: string): boolean {
  return text.slice(at, at + part.length) === part;
}

/** True if the text is one event, which ends with LF. */
export function isOneEvent(text: string): boolean {
  return text.indexOf('\n\n') === text.length - 2 && !text.includes('\r');
}

/** @returns the offset of the closing quote; -1: it is not a string of one line */
function endOfText(json: Buffer, start: number): number {
  for (let at = start; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
    if ((json[at] ?? 0) < SPACE) return -1;
  }
  return -1;
}
