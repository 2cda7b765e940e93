import type { Buffer } from 'node:buffer';
import { ProtocolError } from './protocol-error.ts';

const LF = 0x0a;

/**
 * Collects lines from pieces of any size. A line ends with CRLF. A bare LF, which
 * https://www.rfc-editor.org/rfc/rfc9112#section-2.2 lets a recipient accept as a line end, is refused: two parties that
 * read it differently see two different messages.
 */
export class LineReader {
  readonly #what: string;
  readonly #limitBytes: number;
  #partial = '';
  #size = 0;
  /** Offset after the last consumed byte. */
  next = 0;

  /** @param what subject of the error message @param limitBytes of all lines together */
  constructor(what: string, limitBytes: number) {
    this.#what = what;
    this.#limitBytes = limitBytes;
  }

  /**
   * Consumes bytes up to the end of the line, or all of them.
   * @returns the line without CRLF, one character per byte; null if it is incomplete
   * @throws ProtocolError if it ends with a bare LF, or the lines are larger than the limit
   */
  take(bytes: Buffer, from: number): string | null {
    const lf = bytes.indexOf(LF, from);
    this.next = lf < 0 ? bytes.length : lf + 1;
    this.#size += this.next - from;
    if (this.#size > this.#limitBytes)
      throw new ProtocolError(`${this.#what} is larger than ${this.#limitBytes} bytes`);
    this.#partial += bytes.toString('latin1', from, this.next);
    if (lf < 0) return null;
    const line = this.#partial;
    this.#partial = '';
    if (!line.endsWith('\r\n')) throw new ProtocolError(`a line of ${this.#what} ends with a bare LF`);
    return line.slice(0, -2);
  }
}
