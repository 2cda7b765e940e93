import { UNMETERED, type Metered } from './metered.ts';

/** Measures a response again and again. Never throws: timers and request ends rely on a result. */
export class SafeMeter {
  readonly #onFault: (error: unknown) => void;
  /** The last successful measurement; it is billed if a later one fails. */
  #measured: Metered = UNMETERED;
  #hasFailed = false;

  /** @param onFault called with the first error */
  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  measure(meter: () => Metered): Metered {
    try {
      this.#measured = meter();
    } catch (error) {
      if (!this.#hasFailed) this.#onFault(error);
      this.#hasFailed = true;
    }
    return this.#measured;
  }
}
