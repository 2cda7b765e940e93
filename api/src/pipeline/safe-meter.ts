import type { AttemptContext } from './attempt-context.ts';
import { logError } from './log-attempt.ts';
import { UNMETERED, type Metered } from './metered.ts';

const UNMEASURED = 'a response could not be measured; its last measurement is billed';

/** Measures a response again and again. Never throws: timers and request ends rely on a result. */
export class SafeMeter {
  readonly #context: Pick<AttemptContext, 'log' | 'relay' | 'route'>;
  /** The last successful measurement; it is billed if a later one fails. */
  #measured: Metered = UNMETERED;
  #hasFailed = false;

  /** @param context where the first error is logged */
  constructor(context: Pick<AttemptContext, 'log' | 'relay' | 'route'>) {
    this.#context = context;
  }

  measure(meter: () => Metered): Metered {
    try {
      this.#measured = meter();
    } catch (error) {
      if (!this.#hasFailed) logError(this.#context, error, UNMEASURED);
      this.#hasFailed = true;
    }
    return this.#measured;
  }
}
