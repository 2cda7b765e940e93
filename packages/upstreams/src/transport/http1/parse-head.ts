import { Buffer } from 'node:buffer';
import { trimBlanks } from '../trim-blanks.ts';
import { LineReader } from './line-reader.ts';
import { ProtocolError } from './protocol-error.ts';

const MAX_HEAD_BYTES = 64 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
const MAX_HEADERS = 256;
const CR = 0x0d;
/** https://www.rfc-editor.org/rfc/rfc9112#section-4; the space before an absent reason is often omitted. */
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
/**
 * https://www.rfc-editor.org/rfc/rfc9112#section-5: no space before the colon. A line that begins with a space is folded
 * (section 5.2); no name matches it, so it is refused.
 */
const HEADER_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*$/;

/** A response's status line and headers. */
export interface ResponseHead {
  status: number;
  /** HTTP/1.0 or HTTP/1.1. */
  minorVersion: 0 | 1;
  /** By lower-case name; repeated headers are joined by `, `. Latin-1: one character per byte. */
  headers: ReadonlyMap<string, string>;
}

/** Parses one response's head from pieces of any size. */
export class HeadReader {
  readonly #lines = new LineReader('the head of the response', MAX_HEAD_BYTES);
  readonly #headers = new Map<string, string>();
  #count = 0;
  #start: Pick<ResponseHead, 'status' | 'minorVersion'> | null = null;

  /** Offset after the last consumed byte. */
  next = 0;

  /**
   * Consumes bytes up to the end of the head, or all of them.
   * @returns null if the head is incomplete
   * @throws ProtocolError if it is not valid, larger than 64 KiB or of more than 256 headers
   */
  take(bytes: Buffer, from: number): ResponseHead | null {
    const lines = this.#lines;
    if (!lines.hasBegun) {
      const end = bytes.indexOf(HEAD_END, from, 'latin1');
      if (end >= 0 && end - from <= MAX_HEAD_BYTES - HEAD_END.length)
        return this.#takeWhole(bytes, from, end);
    }
    for (let at = from; at < bytes.length; at = this.next) {
      const line = lines.take(bytes, at);
      this.next = lines.next;
      if (line === null) return null;
      const head = this.#takeLine(line);
      if (head !== null) return head;
    }
    return null;
  }

  /** Takes a head that arrived in one piece, as most do: one string and its slices, instead of a copy per line. */
  #takeWhole(bytes: Buffer, from: number, end: number): ResponseHead | null {
    this.next = end + HEAD_END.length;
    const text = bytes.toString('latin1', from, end);
    let at = 0;
    while (at <= text.length) {
      const lf = text.indexOf('\n', at);
      const lineEnd = lf < 0 ? text.length : lf - 1;
      if (lf >= 0 && (lf === at || text.charCodeAt(lineEnd) !== CR)) throw this.#lines.bareLf();
      this.#takeLine(text.slice(at, lineEnd));
      at = lineEnd + 2;
    }
    return this.#takeLine('');
  }

  /** @returns the head if the line ends it */
  #takeLine(line: string): ResponseHead | null {
    if (this.#start === null) this.#start = parseStatusLine(line);
    else if (line === '') return { ...this.#start, headers: this.#headers };
    else this.#add(line);
    return null;
  }

  #add(line: string): void {
    this.#count += 1;
    if (this.#count > MAX_HEADERS)
      throw new ProtocolError(`the response has more than ${MAX_HEADERS} headers`);
    const [name, value] = parseHeaderLine(line);
    const known = this.#headers.get(name);
    this.#headers.set(name, known === undefined ? value : `${known}, ${value}`);
  }
}

function parseStatusLine(line: string): Pick<ResponseHead, 'status' | 'minorVersion'> {
  const [, minorVersion, status] = STATUS_LINE.exec(line) ?? [];
  if (status === undefined) throw new ProtocolError('the response does not begin with a status line');
  return { status: Number(status), minorVersion: minorVersion === '0' ? 0 : 1 };
}

type Header = readonly [name: string, value: string];

/** Short lines that were parsed before. Most responses of a provider have the same ones. */
const knownLines = new Map<string, Header>();
const MAX_KNOWN_LINES = 512;
const MAX_KNOWN_LENGTH = 128;

/** @returns lower-case name, trimmed value @throws ProtocolError if the line is not a header */
export function parseHeaderLine(line: string): Header {
  const known = knownLines.get(line);
  if (known !== undefined) return known;
  if (!HEADER_LINE.test(line)) throw new ProtocolError('a line of the response is no header');
  const colon = line.indexOf(':');
  const header: Header = [line.slice(0, colon).toLowerCase(), trimBlanks(line.slice(colon + 1))];
  if (line.length > MAX_KNOWN_LENGTH) return header;
  if (knownLines.size >= MAX_KNOWN_LINES) knownLines.clear();
  knownLines.set(line, header);
  return header;
}
