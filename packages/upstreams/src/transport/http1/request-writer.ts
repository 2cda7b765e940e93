import type { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';

/** A body up to this goes out together with the head, in one write. */
const ONE_WRITE_BYTES = 64 * 1024;
/** What is handed to the socket at a time: TLS would make an encrypted copy of the whole body else. */
const SLICE_BYTES = 256 * 1024;

/** Writes one request, as fast as the server takes it. */
export class RequestWriter {
  readonly #socket: Socket;
  readonly #body: Buffer;
  #at = 0;
  #isStopped = false;

  constructor(socket: Socket, head: string, body: Buffer) {
    this.#socket = socket;
    this.#body = body;
    if (body.length <= ONE_WRITE_BYTES) {
      this.#at = body.length;
      socket.write(head + body.toString('latin1'), 'latin1');
    } else {
      socket.write(head, 'latin1');
      this.pump();
    }
  }

  /** True once everything is with the kernel. */
  get isDone(): boolean {
    return this.#at === this.#body.length && this.#socket.writableLength === 0;
  }

  /** Goes on after the socket has drained. */
  pump(): void {
    let hasRoom = true;
    while (hasRoom && !this.#isStopped && this.#at < this.#body.length) {
      const end = Math.min(this.#body.length, this.#at + SLICE_BYTES);
      hasRoom = this.#socket.write(this.#body.subarray(this.#at, end));
      this.#at = end;
    }
  }

  /** Leaves the rest unsent: the server has answered without it. */
  stop(): void {
    this.#isStopped = true;
  }
}
