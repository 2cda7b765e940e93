import type { RateNeed, ServedTerms } from '@tollgate/core/rates/rate-need';
import { isNotable, judgeServed, type ServedQuestion, type ServedVerdict } from './judge-served.ts';

const AS_ASKED: ServedVerdict = { price: null, mismatch: null };

/** What the provider's answer says that it used, compared with what the request was priced by. */
export class ServedWatch {
  /** The rates that the request was admitted with. */
  needs: readonly RateNeed[] = [];
  verdict: ServedVerdict = AS_ASKED;
  #served: ServedTerms | null = null;

  /** The request goes to a route now. */
  reset(): void {
    this.#served = null;
    this.verdict = AS_ASKED;
  }

  note(served: ServedTerms, question: Omit<ServedQuestion, 'needs'>): void {
    if (served === this.#served) return;
    this.#served = served;
    this.verdict = judgeServed(served, { ...question, needs: this.needs });
  }

  /** Everything that the answer says of its terms; null: nothing yet. */
  get terms(): ServedTerms | null {
    return this.#served;
  }

  /** The terms to store; null: the plain ones. */
  get notable(): ServedTerms | null {
    return this.#served !== null && isNotable(this.#served, this.verdict) ? this.#served : null;
  }
}
