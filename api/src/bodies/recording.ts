import { Buffer } from 'node:buffer';
import { KEPT_BODY_BYTES } from '@tollgate/core/requests/kept-bodies';

const FIRST_ANSWER_BYTES = 4 * 1024;

/** The first bytes of a body, and its full length. */
export interface KeptBody {
  kept: Buffer;
  bytes: number;
}

export interface RecordedBodies {
  requestId: string;
  accountId: string;
  startedAtMs: number;
  request: KeptBody;
  answer: KeptBody;
  /** Bytes reserved in the memory for logged payloads. */
  reservedBytes: number;
}

/** Reserves memory for recordings and receives them when they are complete. */
export interface RecordingHost {
  /** @returns false if there is not enough memory */
  reserve(bytes: number): boolean;
  release(bytes: number): void;
  add(bodies: RecordedBodies): void;
  /** The payload of a request is dropped. */
  noteLost(): void;
}

/** Copies a request body and its response, each up to its limit. Never waits, never throws. */
export class Recording {
  readonly #host: RecordingHost;
  readonly #head: Pick<RecordedBodies, 'requestId' | 'accountId' | 'startedAtMs'>;
  readonly #requestBytes: number;
  #request: Buffer;
  #answer: Buffer = Buffer.alloc(0);
  #answerBytes = 0;
  #reservedBytes = 0;
  #isOver = false;

  constructor(
    host: RecordingHost,
    head: Pick<RecordedBodies, 'requestId' | 'accountId' | 'startedAtMs'>,
    body: Buffer,
  ) {
    this.#host = host;
    this.#head = head;
    this.#requestBytes = body.length;
    const kept = body.subarray(0, KEPT_BODY_BYTES);
    // A copy: a kept slice of 32 MiB must not keep all 32 MiB in memory.
    this.#request = this.#reserve(kept.length) ? Buffer.from(kept) : this.#answer;
  }

  add(bytes: Buffer): void {
    const at = this.#makeRoom(bytes.length);
    if (at < this.#answer.length) bytes.copy(this.#answer, at);
  }

  /** Adds bytes given as one character each. */
  addLatin1(bytes: string): void {
    const at = this.#makeRoom(bytes.length);
    if (at < this.#answer.length) this.#answer.write(bytes, at, 'latin1');
  }

  addText(text: string): void {
    const at = this.#makeRoom(Buffer.byteLength(text));
    if (at >= this.#answer.length) return;
    const end = at + this.#answer.write(text, at, 'utf8');
    // A character that does not fit is not written: what was in the memory before must not show.
    if (end < this.#answerBytes) this.#answer.fill(0, end);
  }

  /** Nothing more is sent to the caller. */
  finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#host.add({
      ...this.#head,
      request: { kept: this.#request, bytes: this.#requestBytes },
      answer: { kept: this.#answer.subarray(0, this.#answerBytes), bytes: this.#answerBytes },
      reservedBytes: this.#reservedBytes,
    });
  }

  /** @returns the offset for the next response bytes; bytes past the end of the buffer are dropped */
  #makeRoom(bytes: number): number {
    const at = this.#answerBytes;
    this.#answerBytes += bytes;
    const wanted = Math.min(this.#answerBytes, KEPT_BODY_BYTES);
    if (this.#isOver || wanted <= this.#answer.length) return at;
    const room = Math.min(Math.max(FIRST_ANSWER_BYTES, this.#answer.length * 2, wanted), KEPT_BODY_BYTES);
    if (!this.#reserve(room - this.#answer.length)) return at;
    const grown = Buffer.allocUnsafe(room);
    this.#answer.copy(grown);
    this.#answer = grown;
    return at;
  }

  /** Half a response is useless: without memory for all of it, nothing is kept. */
  #reserve(bytes: number): boolean {
    if (this.#host.reserve(bytes)) {
      this.#reservedBytes += bytes;
      return true;
    }
    this.#host.release(this.#reservedBytes);
    this.#request = Buffer.alloc(0);
    this.#answer = this.#request;
    this.#isOver = true;
    this.#host.noteLost();
    return false;
  }
}
