import { Buffer } from 'node:buffer';

const FIRST_BYTES = 64 * 1024;
/** A larger buffer is not kept for the next batch. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;
/** Always free behind the end: more than the members of a row that reserve nothing take together. */
const SPARE_BYTES = 2_048;
/** A quote or a backslash takes four bytes, any other UTF-16 unit at most three. */
const MAX_BYTES_PER_UNIT = 4;
const MAX_SMALL = 0x7f_ff_ff_ff;

const QUOTE = 0x22;
const OPEN_ARRAY = 0x7b;
const CLOSE_ARRAY = 0x7d;
const OPEN_ROW = 0x28;
const CLOSE_ROW = 0x29;
const COMMA = 0x2c;
const ZERO = 0x30;
const BACKSLASH = 0x5c;
const TRUE = 0x74;
const FALSE = 0x66;
const UTC = 0x5a;

/** 1: an ASCII character that needs no quotes in a row within an array. */
const IS_PLAIN = new Uint8Array(128);
for (const char of '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-./:@')
  IS_PLAIN[char.charCodeAt(0)] = 1;

/**
 * Writes rows of a composite type as PostgreSQL text, each as element of an array, in one buffer without a string for each
 * value. Members are written in the order of the type. null and undefined are NULL.
 * https://www.postgresql.org/docs/current/rowtypes.html#ROWTYPES-IO-SYNTAX
 */
export class RowText {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #end = 0;
  /** The last second that was written, since most rows of a batch share it. */
  #second = NaN;
  #secondText = '';

  /** @returns the text of an array with a row for each item */
  array<Item>(items: readonly Item[], write: (row: RowText, item: Item) => void): string {
    if (items.length === 0) return '{}';
    if (this.#bytes.length > MAX_KEPT_BYTES) this.#bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
    this.#bytes[0] = OPEN_ARRAY;
    this.#end = 1;
    for (const item of items) {
      write(this, item);
      this.#comma();
    }
    // In place of the last comma.
    this.#bytes[this.#end - 1] = CLOSE_ARRAY;
    return this.#bytes.toString('utf8', 0, this.#end);
  }

  openRow(): void {
    this.#reserve(2);
    this.#bytes[this.#end++] = QUOTE;
    this.#bytes[this.#end++] = OPEN_ROW;
  }

  closeRow(): void {
    // As in `array`.
    this.#bytes[this.#end - 1] = CLOSE_ROW;
    this.#bytes[this.#end++] = QUOTE;
  }

  text(value: string | null | undefined): void {
    if (typeof value !== 'string') return this.#comma();
    const { length } = value;
    this.#reserve(length * MAX_BYTES_PER_UNIT + 5);
    const bytes = this.#bytes;
    const start = this.#end;
    let at = 0;
    for (; at < length; at += 1) {
      const code = value.charCodeAt(at);
      if (code > 127 || IS_PLAIN[code] === 0) break;
      bytes[start + at] = code;
    }
    this.#end = start + at;
    // Without quotes, the empty text would be NULL.
    if (at === length && length > 0) this.#comma();
    else this.#quoted(value, start);
  }

  /** A value of `jsonb`. */
  json(value: object | null | undefined): void {
    if (value === null || value === undefined) this.#comma();
    else this.text(JSON.stringify(value));
  }

  /** @param ms since 1970 */
  time(ms: number): void {
    const second = Math.floor(ms / 1000);
    if (second !== this.#second) {
      this.#secondText = new Date(second * 1000).toISOString().slice(0, -4);
      this.#second = second;
    }
    this.#ascii(this.#secondText);
    const bytes = this.#bytes;
    const rest = Math.trunc(ms - second * 1000);
    const tens = (rest / 10) | 0;
    const hundreds = (tens / 10) | 0;
    bytes[this.#end++] = ZERO + hundreds;
    bytes[this.#end++] = ZERO + (tens - hundreds * 10);
    bytes[this.#end++] = ZERO + (rest - tens * 10);
    bytes[this.#end++] = UTC;
    this.#comma();
  }

  number(value: number | null | undefined): void {
    if (value === null || value === undefined) return this.#comma();
    if (value >= 0 && value <= MAX_SMALL && value === (value | 0)) this.#digits(value);
    // Without the sign of -0.
    else this.#ascii(String(value));
    this.#comma();
  }

  bigint(value: bigint | null | undefined): void {
    if (value === null || value === undefined) return this.#comma();
    if (value >= 0n && value <= MAX_SMALL) this.#digits(Number(value));
    else this.#ascii(String(value));
    this.#comma();
  }

  boolean(value: boolean | null | undefined): void {
    if (value === true || value === false) this.#bytes[this.#end++] = value ? TRUE : FALSE;
    this.#comma();
  }

  /** @param value from 0 to 2^31-1 */
  #digits(value: number): void {
    const bytes = this.#bytes;
    let length = 1;
    for (let power = 10; power <= value; power *= 10) length += 1;
    let rest = value;
    for (let at = this.#end + length - 1; at >= this.#end; at -= 1) {
      const tens = (rest / 10) | 0;
      bytes[at] = ZERO + (rest - tens * 10);
      rest = tens;
    }
    this.#end += length;
  }

  /** Escaped twice: as attribute of a row, and as element of an array. */
  #quoted(value: string, start: number): void {
    const bytes = this.#bytes;
    let end = start;
    bytes[end++] = BACKSLASH;
    bytes[end++] = QUOTE;
    for (let at = 0; at < value.length; at += 1) {
      const code = value.charCodeAt(at);
      if (code > 127) {
        const rest = escape(value.slice(at));
        end += bytes.write(rest, end);
        break;
      }
      if (code === QUOTE) {
        bytes[end++] = BACKSLASH;
        bytes[end++] = QUOTE;
        bytes[end++] = BACKSLASH;
        bytes[end++] = QUOTE;
      } else if (code === BACKSLASH) {
        bytes.fill(BACKSLASH, end, end + 4);
        end += 4;
      } else bytes[end++] = code;
    }
    bytes[end++] = BACKSLASH;
    bytes[end++] = QUOTE;
    this.#end = end;
    this.#comma();
  }

  #ascii(text: string): void {
    const { length } = text;
    this.#reserve(length);
    const bytes = this.#bytes;
    for (let at = 0; at < length; at += 1) bytes[this.#end + at] = text.charCodeAt(at);
    this.#end += length;
  }

  #comma(): void {
    this.#bytes[this.#end++] = COMMA;
  }

  #reserve(length: number): void {
    const needed = this.#end + length + SPARE_BYTES;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(grown, 0, 0, this.#end);
    this.#bytes = grown;
  }
}

function escape(text: string): string {
  return text.replaceAll('\\', '\\\\\\\\').replaceAll('"', '\\"\\"');
}
