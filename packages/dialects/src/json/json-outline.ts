import { Buffer } from 'node:buffer';
import { OversizeEventError } from '../sse/oversize-event.ts';
import { ByteList } from './byte-list.ts';
import { MARK_JSON } from './left-out.ts';
import { OffsetMap } from './offset-map.ts';

const MARK = Buffer.from(MARK_JSON);
/** For the rest of a mark: at most eight digits and a quote. */
const scratch = Buffer.alloc(16);

/** No member that is left out has a longer name. */
const MAX_NAME_BYTES = 24;
const MAX_OUTLINE_BYTES = 16 * 1024 * 1024;

export interface OutlineRules {
  /** True: the value of such a member is left out. */
  isLeftOut(name: string, isString: boolean): boolean;
  /** True: such a member's string is kept at any length. */
  isKept(name: string): boolean;
  /** True: the list or object of such a member is kept as it is, whatever is in it. */
  isKeptWhole(name: string): boolean;
  /** Other strings are kept up to this length. */
  maxStringBytes: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SPACE = 0x20;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Where the scan is: outside of strings; in a string; in a string that is left out; in a list or object that is left out or
 * kept whole, and there in a string.
 */
type Place = 'plain' | 'string' | 'skipped-string' | 'inner' | 'inner-string';

/**
 * Copies a JSON text without its large values, as it arrives: what remains is short enough to be parsed. Takes time in
 * proportion to the bytes, however they are cut.
 */
export class JsonOutline {
  readonly #rules: OutlineRules;
  readonly #out = new ByteList();
  readonly #sources = new OffsetMap();
  /** Offset in the source of the byte that comes next. */
  #source = 0;
  #place: Place = 'plain';
  /** The string continues with an escaped character. */
  #isEscaped = false;
  /** Open lists and objects of the value that is left out or kept whole. */
  #depth = 0;
  #isKeptWhole = false;
  /** Bytes of the value that is left out, without quotes. */
  #leftOutBytes = 0;
  /** The last name of a member. */
  #name = '';
  /** A value follows the name. */
  #isNamed = false;
  /** Offsets of the last string in the copy: of its quote, and behind its closing quote; 0: none since the last name. */
  #start = 0;
  #end = 0;
  /** Set by `#endOfString`: it found the closing quote. */
  #isOver = false;

  constructor(rules: OutlineRules) {
    this.#rules = rules;
  }

  /** The copy so far. */
  get text(): string {
    return this.#out.view().toString('utf8');
  }

  /** The same as bytes: a view, which is valid until the next push. */
  get bytes(): Buffer {
    return this.#out.view();
  }

  /** @returns the offset in the source of where a value of the copy starts or ends; null: it is not known */
  findSource(offset: number): number | null {
    return this.#sources.findSource(offset);
  }

  /**
   * Reads the bytes from `start` to `end`.
   * @param source offset in the source of the first one
   * @throws OversizeEventError if more than 16 MiB remain
   */
  push(bytes: Buffer, start: number, end: number, source = this.#source): void {
    if (source !== this.#source) this.#sources.add(this.#out.length, source);
    this.#source = source + end - start;
    let at = start;
    /** Bytes from here on are not copied yet. */
    let from = start;
    while (at < end) {
      switch (this.#place) {
        case 'plain': {
          const found = this.#findNext(bytes, at, end);
          at = found;
          if (at >= end) break;
          const byte = bytes[at];
          if (byte === COLON) {
            from = this.#readName(bytes, from, at);
            at += 1;
            break;
          }
          const isString = byte === QUOTE;
          this.#isKeptWhole = this.#isNamed && !isString && this.#rules.isKeptWhole(this.#name);
          const isLeftOut =
            this.#isNamed && !this.#isKeptWhole && this.#rules.isLeftOut(this.#name, isString);
          this.#isNamed = false;
          this.#depth = 1;
          if (this.#isKeptWhole) this.#place = 'inner';
          else if (isLeftOut) {
            this.#copy(bytes, from, at);
            from = at + 1;
            this.#startLeftOut(isString ? 0 : 1);
            this.#place = isString ? 'skipped-string' : 'inner';
          } else if (isString) {
            this.#start = this.#out.length + at - from;
            this.#place = 'string';
          }
          at += 1;
          break;
        }
        case 'string': {
          at = this.#endOfString(bytes, at, end);
          const length = this.#out.length + at - from - this.#start;
          const isLong = length > this.#rules.maxStringBytes && !this.#rules.isKept(this.#name);
          const isOver = this.#isOver;
          if (isLong) {
            this.#copy(bytes, from, at);
            this.#out.truncate(this.#start);
            this.#startLeftOut(isOver ? length - 2 : length - 1);
            from = at;
          }
          if (isOver) {
            if (isLong) this.#endLeftOut(end - at);
            this.#end = this.#start + length;
            this.#place = 'plain';
          } else if (isLong) this.#place = 'skipped-string';
          break;
        }
        case 'skipped-string':
          at = this.#endOfString(bytes, at, end);
          this.#leftOutBytes += at - from;
          from = at;
          if (this.#isOver) {
            this.#leftOutBytes -= 1;
            this.#endLeftOut(end - at);
            this.#place = 'plain';
          }
          break;
        case 'inner-string':
          at = this.#endOfString(bytes, at, end);
          if (this.#isOver) this.#place = 'inner';
          from = this.#endOfInner(from, at, end);
          break;
        case 'inner':
          at = this.#findInnerEnd(bytes, at, end);
          from = this.#endOfInner(from, at, end);
      }
    }
    this.#copy(bytes, from, end);
  }

  /** @returns the offset behind the closing quote, or `end` */
  #endOfString(bytes: Buffer, start: number, end: number): number {
    let at = start;
    this.#isOver = false;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      at += 1;
    }
    for (; at < end; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        this.#isOver = true;
        return at + 1;
      }
      if (byte === BACKSLASH) at += 1;
    }
    this.#isEscaped = at > end;
    return end;
  }

  /** @returns the offset behind the value, or `end` */
  #findInnerEnd(bytes: Buffer, start: number, end: number): number {
    let at = start;
    let depth = this.#depth;
    while (at < end) {
      const byte = bytes[at];
      at += 1;
      if (byte === QUOTE) {
        at = this.#endOfString(bytes, at, end);
        if (this.#isOver) continue;
        this.#place = 'inner-string';
        break;
      }
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        depth -= 1;
        if (depth > 0) continue;
        this.#place = 'plain';
        break;
      }
    }
    this.#depth = depth;
    return at;
  }

  /** @returns the offset of the next quote, colon, or opening bracket or brace, or `end` */
  #findNext(bytes: Buffer, start: number, end: number): number {
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte === QUOTE || byte === COLON || byte === OPEN_BRACE || byte === OPEN_BRACKET) return at;
      // A number or a word.
      if (byte > SPACE) this.#isNamed = false;
    }
    return end;
  }

  /** Reads the name in front of a colon. @returns the offset up to which the bytes are copied */
  #readName(bytes: Buffer, from: number, at: number): number {
    const { length } = this.#out;
    const isName = this.#end > 0 && this.#end - this.#start <= MAX_NAME_BYTES + 2;
    this.#isNamed = true;
    if (!isName) {
      this.#name = '';
      return from;
    }
    const isHere = this.#start >= length;
    if (!isHere) this.#copy(bytes, from, at);
    const [source, base] = isHere ? [bytes, from - length] : [this.#out.view(), 0];
    this.#name = source.toString('latin1', base + this.#start + 1, base + this.#end - 1);
    this.#end = 0;
    return isHere ? from : at;
  }

  /** @returns the offset from which bytes are to be copied, after those up to `at` belong to a list or an object */
  #endOfInner(from: number, at: number, end: number): number {
    if (this.#isKeptWhole) return from;
    this.#leftOutBytes += at - from;
    if (this.#place === 'plain') this.#endLeftOut(end - at);
    return at;
  }

  /** @param bytes of the value that have been read */
  #startLeftOut(bytes: number): void {
    this.#leftOutBytes = bytes;
    this.#copy(MARK, 0, MARK.length);
  }

  /** @param rest bytes of this push behind the value */
  #endLeftOut(rest: number): void {
    this.#copy(scratch, 0, scratch.write(`${this.#leftOutBytes}"`, 'latin1'));
    this.#sources.add(this.#out.length, this.#source - rest);
  }

  #copy(bytes: Buffer, start: number, end: number): void {
    if (start < end) this.#out.append(bytes, start, end);
    if (this.#out.length > MAX_OUTLINE_BYTES) throw new OversizeEventError();
  }
}
