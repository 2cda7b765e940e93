import type { Buffer } from 'node:buffer';
import type { TextMeter } from '../usage/text-meter.ts';
import type { EventRules } from './clean-events.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const [ZERO, NINE] = [0x30, 0x39];

/** The only thing that was found in an event: a string that is measured. */
export interface FoundText {
  /** The offset after its opening quote. */
  start: number;
  /** The offset of its closing quote. */
  end: number;
  meter: TextMeter;
}

/** What differs between events of a kind: the text, and what hides its length or counts the events. */
type Gap = 'text' | 'string' | 'digits' | 'blanks';

/** Members of OpenAI, and the blanks of Anthropic before the last brace. */
const FILLERS = /(?<="obfuscation":")[^"\\]*(?=")|(?<="sequence_number":)\d+|(?<=\}) +(?=\}\n\n$)/g;

/**
 * Recognizes events that differ from an inspected one in nothing but the text of the model, as most events of a stream do.
 * They contain nothing else that must be found.
 */
export class RepeatedEvent {
  /** What comes before each gap, and after the last one; empty: no event is known. */
  #parts: string[] = [];
  #gaps: Gap[] = [];
  #meter: TextMeter | null = null;
  #textStart = 0;
  #textEnd = 0;

  /** @param event one that is passed on as it came, and contains nothing to find but the text */
  learn(event: string, { start, end, meter }: FoundText): void {
    this.#parts = [];
    this.#gaps = [];
    const [before, after] = [event.slice(0, start), event.slice(end)];
    this.#addGap(before.slice(this.#addFillers(before)), 'text');
    this.#parts.push(after.slice(this.#addFillers(after)));
    this.#meter = meter;
  }

  /** @returns the offset after the last gap */
  #addFillers(text: string): number {
    let at = 0;
    if (!mayHaveFillers(text)) return at;
    for (const { 0: filler, index } of text.matchAll(FILLERS)) {
      const kind = filler.startsWith(' ') ? 'blanks' : text[index - 1] === '"' ? 'string' : 'digits';
      this.#addGap(text.slice(at, index), kind);
      at = index + filler.length;
    }
    return at;
  }

  #addGap(before: string, gap: Gap): void {
    this.#parts.push(before);
    this.#gaps.push(gap);
  }

  /** The next event is of another kind. */
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
    while (at < text.length) {
      const end = this.#match(block, text, at);
      if (end < 0) return at;
      meter.addJson(block, this.#textStart, this.#textEnd);
      at = end;
    }
    return at;
  }

  /** @returns the offset after the event, -1 if it is of another kind or without text */
  #match(block: Buffer, text: string, from: number): number {
    const parts = this.#parts;
    const gaps = this.#gaps;
    let at = from;
    for (let index = 0; index < parts.length; index += 1) {
      const part = parts[index] ?? '';
      // Slices are compared as memory, and `startsWith` character by character.
      if (text.slice(at, at + part.length) !== part) return -1;
      at += part.length;
      const gap = gaps[index];
      if (gap === undefined) return at;
      const end = endOfGap(block, at, gap);
      if (gap === 'text') {
        if (end <= at) return -1;
        this.#textStart = at;
        this.#textEnd = end;
      } else if (end < 0) return -1;
      at = end;
    }
    return -1;
  }
}

/**
 * True if the text is one event of the dialect, which ends with LF. Texts of other events may be errors of the provider:
 * each is searched for credentials.
 */
export function mayRepeat(text: string, { mark }: Pick<EventRules, 'mark'>): boolean {
  if (text.indexOf('\n\n') !== text.length - 2 || text.includes('\r')) return false;
  mark.lastIndex = 0;
  return mark.test(text);
}

/** False: the text has none, which takes far less time than the search for each kind. */
function mayHaveFillers(text: string): boolean {
  return text.includes('"obfuscation":') || text.includes('"sequence_number":') || text.endsWith(' }\n\n');
}

/** @returns the offset after what may be in a gap; -1: something else is in it */
function endOfGap(json: Buffer, start: number, gap: Gap): number {
  if (gap === 'text' || gap === 'string') return endOfText(json, start);
  let at = start;
  if (gap === 'blanks') while (json[at] === SPACE) at += 1;
  else while (isDigit(json[at] ?? 0)) at += 1;
  return gap === 'digits' && at === start ? -1 : at;
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

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}
