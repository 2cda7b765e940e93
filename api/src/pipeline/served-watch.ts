import type { RateNeed, ServedTerms } from '@tollgate/core/money/rates/rate-need';
import type { TokenUsage } from '@tollgate/core/money/money';
import { billUsage, type Bill, type BillSource } from './bill-usage.ts';
import type { AskedModels } from '../catalogue/upstream-models.ts';
import { AS_ASKED, isNotable, judgeServed, type ServedVerdict } from './judge-served.ts';

/** The terms reported by the provider's response, compared with what the request was priced by. */
export class ServedWatch {
  /** The rates that the request was admitted with. */
  needs: readonly RateNeed[] = [];
  verdict: ServedVerdict = AS_ASKED;
  #served: ServedTerms | null = null;
  #lastBill: { of: BillKey; bill: Bill } | null = null;

  /** Resets for the next route. */
  reset(): void {
    this.#served = null;
    this.verdict = AS_ASKED;
  }

  note(served: ServedTerms, question: Omit<AskedModels, 'needs'>): void {
    if (served === this.#served) return;
    this.#served = served;
    this.verdict = judgeServed(served, { ...question, needs: this.needs });
  }

  /** All terms reported so far; null: none. */
  get terms(): ServedTerms | null {
    return this.#served;
  }

  /** Bills usage by the served terms. The cost is computed once, for the response header and the record. */
  bill(usage: TokenUsage, source: Omit<BillSource, 'needs' | 'served'>): Bill {
    const { price, askedPrice, route } = source;
    const of: BillKey = { usage, price, askedPrice, route, served: this.#served };
    if (this.#lastBill !== null && isSameKey(this.#lastBill.of, of)) return this.#lastBill.bill;
    const bill = billUsage(usage, { ...source, needs: this.needs, served: this.#served });
    this.#lastBill = { of, bill };
    return bill;
  }

  /** The terms to store; null: standard terms. */
  get notable(): ServedTerms | null {
    return this.#served !== null && isNotable(this.#served, this.verdict) ? this.#served : null;
  }
}

/** The inputs that may change between two bills of one request. */
interface BillKey extends Pick<BillSource, 'price' | 'askedPrice' | 'route' | 'served'> {
  usage: TokenUsage;
}

function isSameKey(a: BillKey, b: BillKey): boolean {
  return (
    a.usage === b.usage &&
    a.price === b.price &&
    a.askedPrice === b.askedPrice &&
    a.route === b.route &&
    a.served === b.served
  );
}
