import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import type { UpstreamBody } from '../transport.ts';

/** A body up to this goes out together with the head, in one write. */
const ONE_WRITE_BYTES = 64 * 1024;
/** What is handed to the socket at a time: TLS would make an encrypted copy of the whole body else. */
const SLICE_BYTES = 256 * 1024;

/** Writes one request, as fast as the server takes it. */
export class RequestWriter {
  readonly #socket: Socket;
  readonly #head: string;
  readonly #body: UpstreamBody;
  #pieces: readonly Buffer[] = [];
  /** True once the head was handed to the socket. */
  hasStarted = false;
  /** The piece that is being sent, and how many of its bytes were handed to the socket. */
  #piece = 0;
  #at = 0;
  #isStopped = false;

  constructor(socket: Socket, head: string, body: UpstreamBody) {
    this.#socket = socket;
    this.#head = head;
    this.#body = body;
  }

  /** Writes the first bytes, unless it was stopped. */
  start(): void {
    if (this.#isStopped) return;
    this.hasStarted = true;
    const body = this.#body;
    if (Buffer.isBuffer(body) && body.length <= ONE_WRITE_BYTES) {
      this.#socket.write(this.#head + body.toString('latin1'), 'latin1');
      return;
    }
    this.#pieces = Buffer.isBuffer(body) ? [body] : body.pieces;
    this.#socket.write(this.#head, 'latin1');
    this.pump();
  }

  /** True once everything is with the kernel. */
  get isDone(): boolean {
    return this.hasStarted && this.#piece === this.#pieces.length && this.#socket.writableLength === 0;
  }

  /** Goes on after the socket has drained. */
  pump(): void {
    let hasRoom = true;
    while (hasRoom && !this.#isStopped) {
      const slice = this.#nextSlice();
      if (slice === null) return;
      hasRoom = this.#socket.write(slice);
    }
  }

  /** Leaves the rest unsent: the server has answered without it. */
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
