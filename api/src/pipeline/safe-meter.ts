import { UNMETERED, type Metered } from './metered.ts';

/** Measures a response again and again. Never throws: timers and request ends rely on a result. */
export class SafeMeter {
  readonly #onError: (error: unknown) => void;
  /** The last successful measurement; it is billed if a later one fails. */
  #measured: Metered = UNMETERED;
  #hasFailed = false;

  /** @param onError called with the first error */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  measure(meter: () => Metered): Metered {
    try {
      this.#measured = meter();
    } catch (error) {
      if (!this.#hasFailed) this.#onError(error);
      this.#hasFailed = true;
    }
    return this.#measured;
  }
}
