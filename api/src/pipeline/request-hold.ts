import type { GatewayError } from '@tollgate/core/errors/errors';
import type { RateNeed } from '@tollgate/core/money/rates/rate-need';
import type { HoldRequest } from '@tollgate/core/money/ledger';
import { NO_USAGE } from '@tollgate/core/money/money';
import { readsUnboundedResults, runsTools } from '@tollgate/core/money/rates/bound-rates';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import type { HoldOutcome, PendingHold } from '@tollgate/ledger/pending-hold';
import {
  affordableAfterTurns,
  affordableOutputTokens,
  holdAmounts,
  wantedAmount,
  type HoldAmounts,
  type RequestBounds,
} from '@tollgate/ledger/hold-amounts';
import type { Ledger } from '@tollgate/ledger/ledger';
import { boundCost } from '@tollgate/ledger/storable-values';
import type { Model, Price } from '../catalogue/catalogue.ts';
import type { Exchange } from '../exchange.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import { computeBounds, type BoundsTerms } from './request-bounds.ts';
import type { RequestRates } from './request-rates.ts';

/** Another model that may answer the request. */
interface HoldAlternative {
  model: Model;
  /** null: unknown, so that the hold does not cover it. */
  rates: RequestRates | null;
  terms: { needs: readonly RateNeed[]; hasUncountedTools: boolean; hasCompaction: boolean };
}

export interface HoldTerms extends BoundsTerms {
  ledger: Ledger;
  exchange: Exchange;
  endpoint: string;
  price: Price;
  /** The name of its session; null: none. */
  session: string | null;
  /** The hold covers the most expensive model. */
  alternatives: readonly HoldAlternative[];
}

const NO_ALTERNATIVES: ReadonlyMap<HoldAlternative, RequestBounds> = new Map();

/** The hold of one request on its key's budget and its account's balance. */
export class RequestHold {
  readonly #terms: HoldTerms;
  /** Of the requested model. */
  #own: RequestBounds;
  #others: ReadonlyMap<HoldAlternative, RequestBounds>;
  /** Of the model that is tried. */
  #bounds: RequestBounds;
  #wantNanoUsd: bigint;
  #grantedNanoUsd: bigint | null = null;
  #pending: PendingHold | null = null;

  private constructor(terms: HoldTerms) {
    this.#terms = terms;
    this.#own = computeBounds(terms);
    this.#bounds = this.#own;
    this.#others = terms.alternatives.length === 0 ? NO_ALTERNATIVES : boundOthers(terms);
    this.#wantNanoUsd = this.#getWanted();
  }

  /** True if a budget or a balance limits what the key spends. */
  static isNeeded(key: CachedKey): boolean {
    return key.maxBudgetNanoUsd !== null || key.plan.isPrepaid;
  }

  /** @returns null if nothing limits what the key spends */
  static create(terms: HoldTerms): RequestHold | null {
    return RequestHold.isNeeded(terms.key) ? new RequestHold(terms) : null;
  }

  /** The most recent hold request. */
  get pending(): PendingHold | null {
    return this.#pending;
  }

  get bounds(): RequestBounds {
    return this.#bounds;
  }

  /** Of the requested model: other models are tried only if more was granted. */
  get amounts(): HoldAmounts {
    return holdAmounts(this.#own);
  }

  /** True if the provider may call its own tools, so that the model reads its input again. */
  get hasServerTools(): boolean {
    const { request } = this.#terms;
    return request.hasUncountedTools === true || runsTools(request.rateNeeds ?? []);
  }

  /** True if the body does not show the size of the input. A search model searches before it reads, as the count assumes. */
  get hasUnboundedInput(): boolean {
    const { request, alternatives } = this.#terms;
    if (request.hasUnboundedInput) return true;
    if (isUnbounded(request.rateNeeds ?? [], request.hasUncountedTools === true)) return true;
    return alternatives.some(({ terms }) => isUnbounded(terms.needs, terms.hasUncountedTools));
  }

  /** True if enough is left to call the provider before the hold is granted. */
  get isPlentiful(): boolean {
    const { ledger, key } = this.#terms;
    return ledger.totals.canSendEarly({
      keyId: key.id,
      accountId: key.accountId,
      keyCapNanoUsd: key.maxBudgetNanoUsd,
      chargesBalance: key.plan.isPrepaid,
      wantNanoUsd: this.#wantNanoUsd,
    });
  }

  /** Lowers the input bound. */
  refine(inputTokens: number): void {
    const lower = (bounds: RequestBounds) =>
      inputTokens >= bounds.inputTokens ? bounds : { ...bounds, inputTokens };
    this.#own = lower(this.#own);
    this.#bounds = this.#own;
    if (this.#others.size > 0)
      this.#others = new Map([...this.#others].map(([other, bounds]) => [other, lower(bounds)]));
    this.#wantNanoUsd = this.#getWanted();
  }

  /** The maximum cost at the most expensive model. */
  #getWanted(): bigint {
    let most = wantedAmount(this.#own);
    for (const bounds of this.#others.values()) {
      const wanted = wantedAmount(bounds);
      if (wanted > most) most = wanted;
    }
    return most;
  }

  noteGranted(grantedNanoUsd: bigint): void {
    this.#grantedNanoUsd = grantedNanoUsd;
  }

  /**
   * The maximum output per choice at another model. Before the hold is granted, it is that of the whole hold, without which the
   * caller receives nothing.
   * @returns null if the hold does not pay for a response of that model
   */
  limitFor(other: HoldAlternative): number | null {
    const bounds = this.#others.get(other);
    if (bounds === undefined) return null;
    const granted = this.#grantedNanoUsd;
    if (granted !== null && granted < holdAmounts(bounds).keyMinNanoUsd) return null;
    const limit = granted === null ? bounds.maxOutputTokens : affordableAfterTurns(bounds, granted);
    return limit === 0 || this.#isBelowBudget(limit, other.model) ? null : limit;
  }

  /** Another model is tried; null: the requested one again. */
  use(other: HoldAlternative | null): void {
    this.#bounds = (other === null ? null : this.#others.get(other)) ?? this.#own;
  }

  /**
   * Requests the hold.
   * @param isWhole true: the whole worst case or nothing, for a request that is sent meanwhile
   * @param onOutcome called once, never within this call
   */
  ask(isWhole: boolean, onOutcome: (outcome: HoldOutcome) => void): void {
    const { ledger, exchange, key, endpoint, model, price, pricePpm, request } = this.#terms;
    const inputTokens = Math.min(this.#terms.inputTokens, this.#own.inputTokens);
    const wantNanoUsd = this.#wantNanoUsd;
    const { softNanoUsd, minNanoUsd, keyMinNanoUsd } = isWhole
      ? { softNanoUsd: wantNanoUsd, minNanoUsd: wantNanoUsd, keyMinNanoUsd: wantNanoUsd }
      : this.amounts;
    const asked: HoldRequest = {
      id: exchange.requestId,
      startedAtMs: exchange.startedAtMs,
      accountId: key.accountId,
      keyId: key.id,
      endpoint,
      model: model.id,
      streamed: request.stream,
      session: this.#terms.session,
      priceId: price.id,
      pricePpm,
      inputTokens,
      inputCostNanoUsd: boundCost(computeCost({ ...NO_USAGE, inputTokens }, price, pricePpm)),
      chargesBalance: key.plan.isPrepaid,
      keyCapNanoUsd: key.maxBudgetNanoUsd,
      wantNanoUsd: boundCost(wantNanoUsd),
      softNanoUsd: boundCost(softNanoUsd),
      minNanoUsd: boundCost(minNanoUsd),
      keyMinNanoUsd: boundCost(keyMinNanoUsd),
    };
    this.#pending = ledger.hold(asked, onOutcome, isWhole);
  }

  /** Prioritizes the hold: the request cannot continue without it. */
  hurry(): void {
    if (this.#pending !== null) this.#terms.ledger.hurry(this.#pending);
  }

  /** Maximum output tokens per choice that an amount pays for. */
  outputTokensFor(grantedNanoUsd: bigint): number {
    // What is left after all turns is for the output. Less than all turns is granted only if the balance is lower.
    if (grantedNanoUsd >= this.amounts.keyMinNanoUsd) return affordableAfterTurns(this.#own, grantedNanoUsd);
    return affordableOutputTokens(this.#own, grantedNanoUsd);
  }

  /** True if a maximum is lower than the requested one, or than the model's limit. */
  isLowered(outputTokens: number, model: Pick<Model, 'maxOutputTokens'> = this.#terms.model): boolean {
    const asked = this.#terms.request.maxOutputTokens ?? model.maxOutputTokens;
    return asked === null || outputTokens < asked;
  }

  /** True if a lowered maximum leaves nothing for the response after the reasoning. */
  #isBelowBudget(maxOutputTokens: number, model: Model): boolean {
    const budget = this.#terms.request.thinkingBudgetTokens ?? 0;
    return budget >= maxOutputTokens && this.#own.isMaxNamed && this.isLowered(maxOutputTokens, model);
  }

  /** The error if the maximum to be sent is too low for other members of the request; null: none. */
  checkLimit(): GatewayError | null {
    const { maxOutputTokens } = this.#own;
    if (!this.#isBelowBudget(maxOutputTokens, this.#terms.model)) return null;
    return {
      code: 'invalid_request',
      message: `thinking.budget_tokens must be less than max_tokens, which is at most ${maxOutputTokens} for this model.`,
      param: 'thinking.budget_tokens',
    };
  }
}

function boundOthers(terms: HoldTerms): ReadonlyMap<HoldAlternative, RequestBounds> {
  const others = new Map<HoldAlternative, RequestBounds>();
  for (const other of terms.alternatives) {
    const { model, rates, terms: own } = other;
    if (rates === null) continue;
    const { needs, hasUncountedTools, hasCompaction } = own;
    const request = { ...terms.request, rateNeeds: needs, hasUncountedTools, hasCompaction };
    others.set(other, computeBounds({ ...terms, model, rates, request }));
  }
  return others;
}

function isUnbounded(needs: readonly RateNeed[], hasUncountedTools: boolean): boolean {
  return hasUncountedTools || readsUnboundedResults(needs.filter((need) => !('leastCalls' in need)));
}
