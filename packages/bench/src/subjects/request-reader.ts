const HEAD_END = '\r\n\r\n';
const LF = 0x0a;

type State = 'head' | 'body' | 'size' | 'piece' | 'piece-end' | 'last';

/**
 * Finds the end of each request of a connection without looking at its body: a content length is counted down, chunked
 * framing (RFC 9112 §7.1) is skipped.
 */
export class RequestReader {
  #state: State = 'head';
  /** The head, or the line of a chunk size. */
  #line = '';
  #left = 0;
  #path = '';
  #bodyBytes = 0;
  readonly #onRequest: (path: string, bodyBytes: number) => void;

  constructor(onRequest: (path: string, bodyBytes: number) => void) {
    this.#onRequest = onRequest;
  }

  push(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) at = this.#take(bytes, at);
  }

  /** @returns where the next part begins */
  #take(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#takeHead(bytes, at);
      case 'body':
      case 'piece':
      case 'piece-end': {
        const end = Math.min(bytes.length, at + this.#left);
        this.#left -= end - at;
        if (this.#left === 0) this.#endPart();
        return end;
      }
      case 'size':
      case 'last':
        return this.#takeLine(bytes, at);
    }
  }

  #takeHead(bytes: Buffer, at: number): number {
    const before = this.#line.length;
    this.#line += bytes.toString('latin1', at);
    const end = this.#line.indexOf(HEAD_END);
    if (end === -1) return bytes.length;
    const head = this.#line.slice(0, end);
    this.#line = '';
    this.#path = head.split(' ', 2)[1] ?? '';
    if (/\r\ntransfer-encoding: *chunked/i.test(head)) this.#state = 'size';
    else {
      this.#left = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      this.#bodyBytes = this.#left;
      this.#state = 'body';
      if (this.#left === 0) this.#endPart();
    }
    return at + end + HEAD_END.length - before;
  }

  #endPart(): void {
    if (this.#state === 'body') this.#endRequest();
    else if (this.#state === 'piece') [this.#state, this.#left] = ['piece-end', 2];
    else this.#state = 'size';
  }

  #takeLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(LF, at);
    this.#line += bytes.toString('latin1', at, end === -1 ? bytes.length : end);
    if (end === -1) return bytes.length;
    const line = this.#line.trim();
    this.#line = '';
    if (this.#state === 'last') {
      if (line === '') this.#endRequest(); // Otherwise it was a trailer.
    } else {
      this.#left = Number.parseInt(line, 16);
      this.#bodyBytes += this.#left;
      this.#state = this.#left === 0 ? 'last' : 'piece';
    }
    return end + 1;
  }

  #endRequest(): void {
    this.#state = 'head';
    const bytes = this.#bodyBytes;
    this.#bodyBytes = 0;
    this.#onRequest(this.#path, bytes);
  }
}
