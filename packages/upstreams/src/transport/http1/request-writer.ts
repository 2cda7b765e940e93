import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import type { UpstreamBody } from '../transport.ts';

/** Largest body that is written as one text with the head. Of a longer text, Node makes two more copies. */
const ONE_TEXT_BYTES = 8 * 1024;
/** Bytes per write: without a limit, TLS would make an encrypted copy of the whole body. */
const SLICE_BYTES = 256 * 1024;

/** Writes one request at the speed of the server. */
export class RequestWriter {
  readonly #socket: Socket;
  readonly #head: string;
  readonly #body: UpstreamBody;
  #pieces: readonly Buffer[] = [];
  /** True once the head was written to the socket. */
  hasStarted = false;
  /** The current piece, and how many of its bytes were written. */
  #piece = 0;
  #at = 0;
  #isStopped = false;

  constructor(socket: Socket, head: string, body: UpstreamBody) {
    this.#socket = socket;
    this.#head = head;
    this.#body = body;
  }

  /** Writes the first bytes, unless stopped. */
  start(): void {
    if (this.#isStopped) return;
    this.hasStarted = true;
    const body = this.#body;
    if (Buffer.isBuffer(body) && body.length <= ONE_TEXT_BYTES) {
      this.#socket.write(this.#head + body.toString('latin1'), 'latin1');
      return;
    }
    this.#pieces = Buffer.isBuffer(body) ? [body] : body.pieces;
    // One system call for the head and what is written before the socket is full.
    this.#socket.cork();
    this.#socket.write(this.#head, 'latin1');
    this.pump();
    this.#socket.uncork();
  }

  /** True once the kernel has everything. */
  get isDone(): boolean {
    return this.hasStarted && this.#piece === this.#pieces.length && this.#socket.writableLength === 0;
  }

  /** Continues after the socket has drained. */
  pump(): void {
    let hasRoom = true;
    while (hasRoom && !this.#isStopped) {
      const slice = this.#nextSlice();
      if (slice === null) return;
      hasRoom = this.#socket.write(slice);
    }
  }

  /** Leaves the rest unsent, because the server has already responded. */
  stop(): void {
    this.#isStopped = true;
  }

  #nextSlice(): Buffer | null {
    const piece = this.#pieces[this.#piece];
    if (piece === undefined) return null;
    const slice = piece.subarray(this.#at, this.#at + SLICE_BYTES);
    this.#at += slice.length;
    if (this.#at === piece.length) {
      this.#piece += 1;
      this.#at = 0;
    }
    return slice;
  }
}
