import { Buffer } from 'node:buffer';
import { KEPT_BODY_BYTES } from '@tollgate/core/requests/kept-bodies';

const FIRST_ANSWER_BYTES = 4 * 1024;

/** The beginning of a body, and how long it was in all. */
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
  /** What it takes of the memory for bodies. */
  reservedBytes: number;
}

/** Where recordings take their memory from, and go when they are complete. */
export interface RecordingHost {
  /** @returns false where there is no room for so much more */
  reserve(bytes: number): boolean;
  release(bytes: number): void;
  add(bodies: RecordedBodies): void;
  /** A request's bodies are not kept. */
  noteLost(): void;
}

/** Copies the body of a request and its answer as it goes out, each up to its bound. Never waits, never throws. */
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
    // A copy: what is kept of 32 MiB must not keep all of them in memory.
    this.#request = this.#reserve(kept.length) ? Buffer.from(kept) : this.#answer;
  }

  add(bytes: Buffer): void {
    const at = this.#makeRoom(bytes.length);
    if (at < this.#answer.length) bytes.copy(this.#answer, at);
  }

  /** Bytes as one character each. */
  addLatin1(bytes: string): void {
    const at = this.#makeRoom(bytes.length);
    if (at < this.#answer.length) this.#answer.write(bytes, at, 'latin1');
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

  /** @returns where the next bytes of the answer go; what is past the end of the memory is left out */
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

  /** Half of an answer is of no use: without room for all of it nothing is kept. */
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
