import type { Socket } from 'node:net';

/** Heads of a response and of its interim responses, trailers and extensions of chunks, all at their maximum. */
const MAX_FRAMING_BYTES = 2 * 1024 * 1024;
/** Size and line ends of a chunk, and a short extension. */
const MAX_BYTES_PER_CHUNK = 64;

/**
 * Limits what a server may send besides the body, such as extensions of chunks, which undici skips without limit:
 * https://www.rfc-editor.org/rfc/rfc9112#section-7.1.1. For a connection with one call at a time.
 */
export class FramingLimit {
  readonly #socket: Socket;
  readonly #startBytes: number;
  #bodyBytes = 0;
  #chunks = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#startBytes = this.#countRead();
  }

  addBody(bytes: number): void {
    this.#bodyBytes += bytes;
    this.#chunks += 1;
  }

  /** Not while undici reads: it may not have reported a part of the body yet. */
  isExceeded(): boolean {
    const framing = this.#countRead() - this.#startBytes - this.#bodyBytes;
    return framing > MAX_FRAMING_BYTES + this.#chunks * MAX_BYTES_PER_CHUNK;
  }

  #countRead(): number {
    return this.#socket.bytesRead - this.#socket.readableLength;
  }
}
