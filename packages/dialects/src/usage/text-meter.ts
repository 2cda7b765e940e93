import { Buffer } from 'node:buffer';
import { tokensOfBytes } from '../input-tokens/tokens-of-bytes.ts';

const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
/** A run of base64 as long as this is a file, not text. */
const FILE_RUN = 512;
/** No tokenizer puts more than this into a token on average, once runs of one character are left out. */
const MAX_BYTES_PER_TOKEN = 20;

/** The counts of a meter. */
export type Measured = Pick<TextMeter, 'bytes' | 'plainBytes' | 'pieces'>;

/** 1 for the characters of both alphabets, and for padding. */
const BASE64 = Uint8Array.from({ length: 256 }, (_, code) =>
  Number(/[\w+/=-]/.test(String.fromCharCode(code))),
);

const NOTHING: Measured = { bytes: 0, plainBytes: 0, pieces: 0 };

/**
 * Measures what a model wrote, as it comes: text, tool arguments, reasoning. Nothing of the JSON around it is counted.
 */
export class TextMeter {
  /** UTF-8 bytes. */
  bytes = 0;
  /** The same without repetitions of one character and without files in base64, which tokenizers compress. */
  plainBytes = 0;
  /** Pieces that were not empty. */
  pieces = 0;
  #last = -1;
  #run = 0;
  #plainInRun = 0;

  /** The sum of both. @param repeated the part of the other that is left out */
  plus(other: Measured, repeated: Measured = NOTHING): TextMeter {
    const sum = new TextMeter();
    sum.bytes = this.bytes + other.bytes - repeated.bytes;
    sum.plainBytes = this.plainBytes + other.plainBytes - repeated.plainBytes;
    sum.pieces = this.pieces + other.pieces - repeated.pieces;
    return sum;
  }

  /** Takes a decoded string. */
  add(text: string): void {
    if (text === '') return;
    this.pieces += 1;
    if (text.length > FILE_RUN) {
      this.#addBytes(Buffer.from(text));
      return;
    }
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      this.#addUnit(code, utf8Length(code));
    }
  }

  /** Takes a JSON string from its bytes: from after its opening quote to its closing one. */
  addJson(json: Buffer, start: number, end: number): void {
    if (end <= start) return;
    this.pieces += 1;
    let at = start;
    while (at < end) {
      at = this.#addUnescaped(json, at, end);
      if (at >= end) return;
      if (json[at + 1] === LOWER_U) {
        const code = Number.parseInt(json.toString('latin1', at + 2, at + 6), 16) || 0;
        this.#addUnit(code, utf8Length(code));
        at += 6;
      } else {
        this.#addUnit(json[at + 1] ?? 0, 1);
        at += 2;
      }
    }
  }

  /** Tokens, roughly. */
  get tokens(): number {
    return tokensOfBytes(this.bytes);
  }

  /** Minimum tokens with any tokenizer: a smaller count cannot be true. */
  get leastTokens(): number {
    return Math.floor(this.plainBytes / MAX_BYTES_PER_TOKEN);
  }

  #addBytes(bytes: Buffer): void {
    for (const byte of bytes) this.#addUnit(byte, 1);
  }

  /** The same as `#addUnit` for each byte up to a backslash, with the counts in variables. @returns its offset, or `end` */
  #addUnescaped(json: Buffer, start: number, end: number): number {
    let { plainBytes } = this;
    let last = this.#last;
    let run = this.#run;
    let plainInRun = this.#plainInRun;
    let at = start;
    for (; at < end; at += 1) {
      const byte = json[at] ?? 0;
      if (byte === BACKSLASH) break;
      const isRepeated = byte === last;
      last = byte;
      if (BASE64[byte] === 0) {
        run = 0;
        plainInRun = 0;
      } else {
        run += 1;
        if (run === FILE_RUN) {
          plainBytes -= plainInRun;
          plainInRun = 0;
        }
        if (run >= FILE_RUN) continue;
        if (!isRepeated) plainInRun += 1;
      }
      if (!isRepeated) plainBytes += 1;
    }
    this.bytes += at - start;
    this.plainBytes = plainBytes;
    this.#last = last;
    this.#run = run;
    this.#plainInRun = plainInRun;
    return at;
  }

  #addUnit(code: number, length: number): void {
    this.bytes += length;
    const isRepeated = code === this.#last;
    this.#last = code;
    if (!isBase64(code)) {
      this.#run = 0;
      this.#plainInRun = 0;
    } else {
      this.#run += 1;
      if (this.#run === FILE_RUN) {
        this.plainBytes -= this.#plainInRun;
        this.#plainInRun = 0;
      }
      if (this.#run >= FILE_RUN) return;
      if (!isRepeated) this.#plainInRun += length;
    }
    if (!isRepeated) this.plainBytes += length;
  }
}

/** Of one UTF-16 unit; two halves of a surrogate pair make four bytes. */
function utf8Length(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code >= 0xd800 && code <= 0xdfff ? 2 : 3;
}

function isBase64(code: number): boolean {
  return BASE64[code] === 1;
}
