import { Buffer } from 'node:buffer';
import { JsonOutline, type OutlineRules } from '../json/json-outline.ts';
import { MAX_EVENT_BYTES, OversizeEventError } from './oversize-event.ts';

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const LINE_FEED = Buffer.from('\n');
const DATA = 'data:';
/** Of a line that is no data, such as the event's name. */
const MAX_LINE_BYTES = 1024;
const MAX_LINES = 16;

/** A line that is no data, and where it is in the event; `end` is behind its line end. */
interface OtherLine {
  start: number;
  end: number;
  /** null: too long to be read. */
  text: string | null;
}

/**
 * Reads one event of a stream that is too large to be parsed on the event loop, as it arrives: it keeps an outline of its
 * data, and takes time in proportion to each piece.
 */
export class LargeEvent {
  readonly #outline: JsonOutline;
  readonly #lines: OtherLine[] = [];
  /** The beginning of the current line, until it is known whether it is data; null: it is data. */
  #line: string | null = '';
  #hasData = false;
  /** A space after the colon does not belong to the data. */
  #skipsSpace = false;
  /** The last piece ended with CR: an LF at the start of the next one belongs to it. */
  #isAfterCr = false;
  #bytes = 0;
  /** Offset of the current line. */
  #lineStart = 0;
  /** The current line is no data, and too long. */
  #isLineCut = false;
  /** There are more lines that are no data. */
  #hasMoreLines = false;

  constructor(rules: OutlineRules) {
    this.#outline = new JsonOutline(rules);
  }

  /** Its data lines without large values, joined by LF. */
  get data(): string {
    return this.#outline.text;
  }

  /** The same as bytes: a view. */
  get dataBytes(): Buffer {
    return this.#outline.bytes;
  }

  /** Its lines that are no data; null: there are too many. */
  get lines(): readonly OtherLine[] | null {
    if (this.#hasMoreLines) return null;
    const bytes = this.#bytes;
    const lines = this.#lines.map((line) => ({ ...line, end: line.end === 0 ? bytes : line.end }));
    // The stream has ended in the middle of a line.
    return this.#isInOther ? [...lines, { start: this.#lineStart, end: bytes, text: null }] : lines;
  }

  /** False: a line that is no data is not in `text`. */
  get isRead(): boolean {
    return !this.#hasMoreLines && !this.#isInOther && this.#others.length === this.#lines.length;
  }

  get #isInOther(): boolean {
    return this.#line !== null && this.#line !== '';
  }

  get #others(): string[] {
    return this.#lines.flatMap(({ text }) => text ?? []);
  }

  get name(): string | null {
    const line = this.#others.findLast((each) => each.startsWith('event:'));
    const name = line?.slice('event:'.length).trim() ?? '';
    return name === '' ? null : name;
  }

  /** The event in short, as the stream would have sent it. */
  get text(): string {
    const lines = this.#hasData ? this.data.split('\n').map((line) => `${DATA} ${line}`) : [];
    return [...this.#others, ...lines, '', ''].join('\n');
  }

  /** @returns the offset in the event of where a value of `dataBytes` starts or ends; null: it is not known */
  findSource(offset: number): number | null {
    return this.#outline.findSource(offset);
  }

  /**
   * Reads bytes of the event.
   * @returns the offset behind the blank line that ends the event, -1 if it has not ended
   * @throws OversizeEventError
   */
  push(bytes: Buffer): number {
    const end = this.#read(bytes);
    this.#bytes += end < 0 ? bytes.length : end;
    if (this.#bytes > MAX_EVENT_BYTES) throw new OversizeEventError();
    return end;
  }

  #read(bytes: Buffer): number {
    let at = this.#isAfterCr && bytes[0] === LF ? 1 : 0;
    if (bytes.length > 0) this.#isAfterCr = false;
    // Each is searched again only when it has been passed.
    let lf = bytes.indexOf(LF, at);
    let cr = bytes.indexOf(CR, at);
    while (at < bytes.length) {
      if (lf >= 0 && lf < at) lf = bytes.indexOf(LF, at);
      if (cr >= 0 && cr < at) cr = bytes.indexOf(CR, at);
      const isCr = cr >= 0 && (lf < 0 || cr < lf);
      const lineEnd = isCr ? cr : lf;
      if (this.#line === '') this.#startLine(this.#bytes + at);
      this.#readLine(bytes, at, lineEnd < 0 ? bytes.length : lineEnd);
      if (lineEnd < 0) return -1;
      at = isCr && bytes[lineEnd + 1] === LF ? lineEnd + 2 : lineEnd + 1;
      this.#isAfterCr = isCr && at === bytes.length && at === lineEnd + 1;
      if (this.#line === '') return at;
      this.#endLine();
    }
    return -1;
  }

  /** Reads a part of a line. */
  #readLine(bytes: Buffer, start: number, end: number): void {
    let from = start;
    if (this.#line !== null) {
      const room = Math.max(0, MAX_LINE_BYTES - this.#line.length);
      const isKnown = this.#line.length >= DATA.length;
      if (isKnown && end - start > room) this.#isLineCut = true;
      const taken = Math.min(end, start + (isKnown ? room : DATA.length - this.#line.length));
      this.#line += bytes.toString('latin1', start, taken);
      if (isKnown) return;
      from = taken;
      if (this.#line !== DATA) {
        if (from < end && this.#line.length >= DATA.length) this.#readLine(bytes, from, end);
        return;
      }
      this.#startData();
    }
    if (this.#skipsSpace && from < end) {
      this.#skipsSpace = false;
      if (bytes[from] === SPACE) from += 1;
    }
    if (from < end) this.#outline.push(bytes, from, end, this.#bytes + from);
  }

  /** The line end of the line before may have come in two pieces. */
  #startLine(start: number): void {
    this.#lineStart = start;
    const before = this.#lines.at(-1);
    if (before?.end === 0) before.end = start;
  }

  #startData(): void {
    if (this.#hasData) this.#outline.push(LINE_FEED, 0, 1);
    this.#hasData = true;
    this.#skipsSpace = true;
    this.#line = null;
  }

  #endLine(): void {
    // https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation: a field without a value.
    if (this.#line === 'data') this.#startData();
    const line = this.#line;
    this.#line = '';
    if (line === null) return;
    const isCut = this.#isLineCut;
    this.#isLineCut = false;
    if (this.#lines.length === MAX_LINES) this.#hasMoreLines = true;
    else {
      const text = isCut ? null : Buffer.from(line, 'latin1').toString('utf8');
      this.#lines.push({ start: this.#lineStart, end: 0, text });
    }
  }
}
