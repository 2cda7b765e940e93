import type { Buffer } from 'node:buffer';
import { trimBlanks } from '../trim-blanks.ts';
import { LineReader } from './line-reader.ts';
import { ProtocolError } from './protocol-error.ts';

export const MAX_HEAD_BYTES = 64 * 1024;
export const MAX_HEADERS = 256;
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
  headers: { get(name: string): string | undefined };
}

/** Parses one response's head from pieces of any size, line by line: `scanHead` reads most heads faster. */
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
    for (let at = from; at < bytes.length; at = this.next) {
      const line = lines.take(bytes, at);
      this.next = lines.next;
      if (line === null) return null;
      const head = this.#takeLine(line);
      if (head !== null) return head;
    }
    return null;
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

/** @returns lower-case name, trimmed value @throws ProtocolError if the line is not a header */
export function parseHeaderLine(line: string): readonly [name: string, value: string] {
  if (!HEADER_LINE.test(line)) throw new ProtocolError('a line of the response is no header');
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), trimBlanks(line.slice(colon + 1))];
}
