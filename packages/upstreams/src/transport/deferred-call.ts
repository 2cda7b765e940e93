import type { UpstreamCall } from './transport.ts';

/** A call that is sent later, unless it was aborted before. */
export class DeferredCall implements UpstreamCall {
  #call: UpstreamCall | null = null;
  #isAborted = false;
  #isPaused = false;

  get connectMs(): number | null {
    return this.#call?.connectMs ?? null;
  }

  get isSent(): boolean {
    return this.#call?.isSent === true;
  }

  get isAborted(): boolean {
    return this.#isAborted;
  }

  /** Sends it now. */
  start(send: () => UpstreamCall): void {
    if (this.#isAborted) return;
    this.#call = send();
    if (this.#isPaused) this.#call.pause();
  }

  abort(): void {
    this.#isAborted = true;
    this.#call?.abort();
  }

  pause(): void {
    this.#isPaused = true;
    this.#call?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#call?.resume();
  }
}
