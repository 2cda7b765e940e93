import type { Buffer } from 'node:buffer';
import { LineReader } from './line-reader.ts';
import { parseHeaderLine } from './parse-head.ts';
import { ProtocolError } from './protocol-error.ts';

const CR = 0x0d;
const LF = 0x0a;
const SEMICOLON = 0x3b;
/** Twelve hexadecimal digits: up to 256 TiB, exact in a number. */
const MAX_SIZE_DIGITS = 12;
/** Limit for all chunks of a body together. */
const MAX_EXTENSION_BYTES = 16 * 1024;
const MAX_TRAILER_BYTES = 16 * 1024;

type State = 'size' | 'extension' | 'size-lf' | 'data' | 'data-cr' | 'data-lf' | 'trailer' | 'done';

/**
 * Decodes a chunked body in place: the data of all chunks in one read is moved together and delivered as one. Extensions
 * and trailers are checked and dropped. https://www.rfc-editor.org/rfc/rfc9112#section-7.1
 */
export class ChunkedBody {
  #state: State = 'size';
  #size = 0;
  #digits = 0;
  #left = 0;
  #extensionBytes = 0;
  #trailer: LineReader | null = null;
  /** Start of the data in the last piece. */
  start = 0;
  /** End of that data. */
  end = 0;
  /** Offset after the consumed bytes: the piece's end, unless the body ended before. */
  next = 0;

  get isDone(): boolean {
    return this.#state === 'done';
  }

  /**
   * Consumes the bytes between two offsets, and overwrites them.
   * @throws ProtocolError if they are not valid chunks
   */
  decode(bytes: Buffer, from: number, to: number): void {
    this.start = from;
    this.end = from;
    let at = from;
    while (at < to && this.#state !== 'done') {
      if (this.#state === 'data') at = this.#takeData(bytes, at, to);
      else if (this.#state === 'trailer') at = this.#takeTrailer(bytes, at, to);
      else {
        const next = this.#takeSizeLine(bytes, at, to);
        if (next > at) at = next;
        else this.#takeFraming(bytes[at++] ?? 0);
      }
    }
    this.next = at;
  }

  #takeData(bytes: Buffer, at: number, to: number): number {
    const length = Math.min(this.#left, to - at);
    if (this.end === this.start) {
      this.start = at;
      this.end = at + length;
    } else {
      bytes.copyWithin(this.end, at, at + length);
      this.end += length;
    }
    this.#left -= length;
    if (this.#left === 0) this.#state = 'data-cr';
    return at + length;
  }

  /**
   * Takes the end of a chunk and the size of the next one if both have arrived and there is no extension, as nearly always.
   * @returns the offset after them; `from` if anything else comes, which is taken byte by byte
   */
  #takeSizeLine(bytes: Buffer, from: number, to: number): number {
    let at = from;
    if (this.#state === 'data-cr') {
      if (at + 1 >= to || bytes[at] !== CR || bytes[at + 1] !== LF) return from;
      at += 2;
    } else if (this.#state !== 'size' || this.#digits > 0) return from;
    const first = at;
    let size = 0;
    while (at < to) {
      const digit = parseHexDigit(bytes[at] ?? 0);
      if (digit < 0) break;
      size = size * 16 + digit;
      at += 1;
    }
    if (at === first || at - first > MAX_SIZE_DIGITS) return from;
    if (at + 1 >= to || bytes[at] !== CR || bytes[at + 1] !== LF) return from;
    this.#size = size;
    this.#startData();
    return at + 2;
  }

  #takeFraming(byte: number): void {
    switch (this.#state) {
      case 'size':
        this.#takeSizeByte(byte);
        return;
      case 'extension':
        this.#takeExtensionByte(byte);
        return;
      case 'size-lf':
        expectByte(byte, LF);
        this.#startData();
        return;
      case 'data-cr':
        expectByte(byte, CR);
        this.#state = 'data-lf';
        return;
      case 'data-lf':
        expectByte(byte, LF);
        this.#state = 'size';
        this.#size = 0;
        this.#digits = 0;
        return;
      case 'data':
      case 'trailer':
      case 'done':
        return;
    }
  }

  #takeSizeByte(byte: number): void {
    const digit = parseHexDigit(byte);
    if (digit >= 0) {
      this.#digits += 1;
      if (this.#digits > MAX_SIZE_DIGITS) throw new ProtocolError('the size of a chunk is too long');
      this.#size = this.#size * 16 + digit;
    } else if (this.#digits > 0 && byte === CR) this.#state = 'size-lf';
    else if (this.#digits > 0 && byte === SEMICOLON) this.#state = 'extension';
    else throw new ProtocolError('a chunk does not begin with its size');
  }

  #takeExtensionByte(byte: number): void {
    this.#extensionBytes += 1;
    if (this.#extensionBytes > MAX_EXTENSION_BYTES)
      throw new ProtocolError(`the extensions of chunks are larger than ${MAX_EXTENSION_BYTES} bytes`);
    if (byte === CR) this.#state = 'size-lf';
    else if (byte === LF) throw new ProtocolError('the size of a chunk ends with a bare LF');
  }

  #startData(): void {
    this.#left = this.#size;
    this.#state = this.#size === 0 ? 'trailer' : 'data';
  }

  /** https://www.rfc-editor.org/rfc/rfc9112#section-7.1.2 */
  #takeTrailer(bytes: Buffer, from: number, to: number): number {
    if (this.#trailer === null && from + 1 < to && bytes[from] === CR && bytes[from + 1] === LF) {
      this.#state = 'done';
      return from + 2;
    }
    this.#trailer ??= new LineReader('the trailer of the response', MAX_TRAILER_BYTES);
    const line = this.#trailer.take(bytes.subarray(0, to), from);
    if (line === '') this.#state = 'done';
    else if (line !== null) parseHeaderLine(line);
    return this.#trailer.next;
  }
}

/** @returns -1 if the byte is not a hexadecimal digit */
function parseHexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function expectByte(byte: number, expected: number): void {
  if (byte !== expected) throw new ProtocolError('a chunk does not end where its size says');
}
