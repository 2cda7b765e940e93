import { DONE, SEQUENCE_DIGITS, STAMP_DIGITS, STAMP_MARK } from './event.ts';

const CR = 0x0d;
const LF = 0x0a;
const DIGIT_0 = 0x30;

type State = 'head' | 'chunk-size' | 'chunk-data' | 'chunk-end' | 'ended';

/**
 * Reads one streamed answer off a socket: HTTP/1.1 head, chunked framing (RFC 9112 §7.1) and the stamps in the text,
 * wherever the network cuts it. It looks at bytes and makes no string per chunk, since 50,000 of them a second
 * share a core with what sends them.
 */
export class StreamScanner {
  /** Chunks seen. */
  received = 0;
  /** Chunks that were not the next one of their stream. */
  outOfOrder = 0;
  /** Whether the answer ended as a whole one does: `[DONE]`, then the last HTTP chunk. */
  get isComplete(): boolean {
    return this.#state === 'ended' && this.#tail.endsWith(DONE);
  }
  get isEnded(): boolean {
    return this.#state === 'ended';
  }

  #state: State = 'head';
  #head = '';
  #left = 0;
  #sizeLine = '';
  /** Digits of the stamp that is being read; -1 outside one. */
  #digits = -1;
  #sequence = 0;
  #timeUs = 0;
  #tail = '';
  readonly #onChunk: (sentUs: number) => void;

  constructor(onChunk: (sentUs: number) => void) {
    this.#onChunk = onChunk;
  }

  /** @throws Error where the answer is not a chunked 200 or its framing is broken */
  push(bytes: Buffer, length: number): void {
    let at = this.#state === 'head' ? this.#readHead(bytes, length) : 0;
    while (at < length) {
      switch (this.#state) {
        case 'chunk-size':
          at = this.#readSize(bytes, at, length);
          break;
        case 'chunk-data': {
          const end = Math.min(length, at + this.#left);
          this.#readData(bytes, at, end);
          this.#left -= end - at;
          at = end;
          if (this.#left === 0) this.#state = 'chunk-end';
          break;
        }
        case 'chunk-end':
          if (bytes[at] === LF) this.#state = 'chunk-size';
          else if (bytes[at] !== CR) throw new Error('The HTTP chunk framing of a stream is broken');
          at += 1;
          break;
        case 'head':
        case 'ended':
          return;
      }
    }
  }

  #readHead(bytes: Buffer, length: number): number {
    const before = this.#head.length;
    this.#head += bytes.toString('latin1', 0, length);
    const end = this.#head.indexOf('\r\n\r\n');
    if (end === -1) return length;
    if (!this.#head.startsWith('HTTP/1.1 200 ') || !/\r\ntransfer-encoding: *chunked/i.test(this.#head))
      throw new Error(`A stream was refused: ${this.#head.slice(0, 600)}`);
    this.#state = 'chunk-size';
    return end + 4 - before;
  }

  #readSize(bytes: Buffer, from: number, length: number): number {
    for (let at = from; at < length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === LF) {
        this.#left = Number.parseInt(this.#sizeLine, 16);
        if (!Number.isInteger(this.#left)) throw new Error(`Not an HTTP chunk size: ${this.#sizeLine}`);
        this.#sizeLine = '';
        this.#state = this.#left === 0 ? 'ended' : 'chunk-data';
        return at + 1;
      }
      if (byte !== CR) this.#sizeLine += String.fromCharCode(byte);
    }
    return length;
  }

  #readData(bytes: Buffer, from: number, end: number): void {
    // Only the end of a stream is looked at as text, and it is short.
    this.#tail =
      end - from < DONE.length
        ? (this.#tail + bytes.toString('latin1', from, end)).slice(-DONE.length)
        : bytes.toString('latin1', end - DONE.length, end);
    let at = from;
    while (at < end) {
      if (this.#digits === -1) {
        const mark = bytes.indexOf(STAMP_MARK, at);
        if (mark === -1 || mark >= end) return;
        this.#digits = 0;
        this.#sequence = 0;
        this.#timeUs = 0;
        at = mark + 1;
      } else if (this.#digits === STAMP_DIGITS) {
        this.#finishStamp();
        at += 1;
      } else {
        const digit = (bytes[at] ?? 0) - DIGIT_0;
        if (this.#digits < SEQUENCE_DIGITS) this.#sequence = this.#sequence * 10 + digit;
        else this.#timeUs = this.#timeUs * 10 + digit;
        this.#digits += 1;
        at += 1;
      }
    }
  }

  #finishStamp(): void {
    this.#digits = -1;
    if (this.#sequence !== this.received) this.outOfOrder += 1;
    this.received += 1;
    this.#onChunk(this.#timeUs);
  }
}
