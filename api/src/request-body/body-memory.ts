import type { Buffer } from 'node:buffer';
import type { BodyUse } from '@tollgate/upstreams/transport/transport';
import { freeMemory, MIN_FREED_BYTES } from './worker/free-memory.ts';

/**
 * The bytes of one request body. They are freed when the request is settled and each call to a provider has sent them, not at
 * the next garbage collection: V8 collects the whole heap after 64 MiB of new buffers. A call that does not say that it has
 * sent them leaves them to the collection.
 */
export class BodyMemory implements BodyUse {
  readonly #body: Buffer;
  #calls = 0;
  #isSettled = false;

  private constructor(body: Buffer) {
    this.#body = body;
  }

  /** @returns null for a body that is too small */
  static of(this: void, body: Buffer): BodyMemory | null {
    return body.length < MIN_FREED_BYTES ? null : new BodyMemory(body);
  }

  /** A call will send the body. */
  begin(): this {
    this.#calls += 1;
    return this;
  }

  end(): void {
    this.#calls -= 1;
    this.#freeIfUnused();
  }

  /** The request is settled: nothing but its calls reads the body. */
  settle(): void {
    this.#isSettled = true;
    this.#freeIfUnused();
  }

  #freeIfUnused(): void {
    if (this.#isSettled && this.#calls === 0) freeMemory(this.#body);
  }
}
