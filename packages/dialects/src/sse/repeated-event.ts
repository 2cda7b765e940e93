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
  /** The last part and the first one of the next event. */
  #seam = '';
  #gaps: Gap[] = [];
  #meter: TextMeter | null = null;
  #textStart = 0;
  #textEnd = 0;

  /** @param event one that is passed on as it came, and contains nothing to find but the text */
  learn(event: string, { start, end, meter }: FoundText): void {
    this.#parts = [];
    this.#gaps = [];
    const hasFillers = mayHaveFillers(event);
    const before = event.slice(0, start);
    const after = event.slice(end);
    this.#addGap(hasFillers ? before.slice(this.#addFillers(before)) : before, 'text');
    const last = hasFillers ? after.slice(this.#addFillers(after)) : after;
    this.#parts.push(last);
    this.#seam = last + (this.#parts[0] ?? '');
    this.#meter = meter;
  }

  /** @returns the offset after the last gap */
  #addFillers(text: string): number {
    let at = 0;
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
    const first = this.#parts[0] ?? '';
    if (meter === null || !isAt(text, from, first)) return from;
    const seam = this.#seam;
    const restLength = seam.length - first.length;
    let passed = from;
    // Invariant: the first part of the next event ends at `at`.
    for (let at = from + first.length; ;) {
      const gapsEnd = this.#matchGaps(block, text, at);
      if (gapsEnd < 0) return passed;
      const isNext = isAt(text, gapsEnd, seam);
      if (!isNext && !isAt(text, gapsEnd, this.#parts.at(-1) ?? '')) return passed;
      meter.addJson(block, this.#textStart, this.#textEnd);
      passed = gapsEnd + restLength;
      if (!isNext) return passed;
      at = gapsEnd + seam.length;
    }
  }

  /** @returns the offset after the last gap of an event, -1 if it is of another kind or without text */
  #matchGaps(block: Buffer, text: string, from: number): number {
    const gaps = this.#gaps;
    let at = from;
    for (let index = 0; index < gaps.length; index += 1) {
      if (index > 0) {
        const part = this.#parts[index] ?? '';
        if (!isAt(text, at, part)) return -1;
        at += part.length;
      }
      const gap = gaps[index] ?? 'text';
      const end = endOfGap(block, at, gap);
      if (gap === 'text') {
        if (end <= at) return -1;
        this.#textStart = at;
        this.#textEnd = end;
      } else if (end < 0) return -1;
      at = end;
    }
    return at;
  }
}

/** Slices are compared as memory, and `startsWith` character by character. */
function isAt(text: string, at: number, part: string): boolean {
  return text.slice(at, at + part.length) === part;
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
  // Parts of the names that begin with rare characters.
  return text.includes('fuscation":') || text.includes('_number":') || text.endsWith(' }\n\n');
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
