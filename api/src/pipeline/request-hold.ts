import type { Buffer } from 'node:buffer';
import type { HoldRequest } from '@tollgate/core/ledger';
import { NO_USAGE } from '@tollgate/core/money';
import { costOf } from '@tollgate/core/rates/cost-of';
import { boundInputTokens } from '@tollgate/dialects/input-tokens/bound-input-tokens';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import type { HoldOutcome, PendingHold } from '@tollgate/ledger/pending-hold';
import {
  affordableOutputTokens,
  holdAmounts,
  type HoldAmounts,
  type RequestBounds,
} from '@tollgate/ledger/hold-amounts';
import { roomOf } from '@tollgate/ledger/known-totals';
import type { Ledger } from '@tollgate/ledger/ledger';
import type { Model, Price } from '../catalogue/catalogue.ts';
import type { Exchange } from '../exchange.ts';
import type { CachedKey } from '../keys/key-cache.ts';

/** The output limit of models whose own is not known: what is forwarded has it, so that the worst case has an end. */
const UNKNOWN_MODEL_MAX_OUTPUT_TOKENS = 16_384;
/** Enough is left to go ahead where all that waits for an answer here is a tenth of it. */
const PLENTY_FACTOR = 10n;

export interface HoldTerms {
  ledger: Ledger;
  exchange: Exchange;
  key: CachedKey;
  endpoint: string;
  model: Model;
  price: Price;
  request: RelayRequest;
  body: Buffer;
  /** The likely input. */
  inputTokens: number;
}

/** What one request holds of its key's budget and of its account's balance. */
export class RequestHold {
  readonly #terms: HoldTerms;
  #bounds: RequestBounds;
  #amounts: HoldAmounts;
  #pending: PendingHold | null = null;

  private constructor(terms: HoldTerms) {
    this.#terms = terms;
    this.#bounds = boundsOf(terms);
    this.#amounts = holdAmounts(this.#bounds);
  }

  /** @returns null where nothing limits what the key spends */
  static create(terms: HoldTerms): RequestHold | null {
    return terms.key.maxBudgetNanoUsd === null && !terms.key.plan.isPrepaid ? null : new RequestHold(terms);
  }

  /** The last one that was asked for. */
  get pending(): PendingHold | null {
    return this.#pending;
  }

  get bounds(): RequestBounds {
    return this.#bounds;
  }

  get amounts(): HoldAmounts {
    return this.#amounts;
  }

  /** True where so much is left, as far as is known here, that the provider can be asked before the hold is written. */
  get isPlentiful(): boolean {
    const { ledger, key } = this.#terms;
    const balance = key.plan.isPrepaid ? ledger.totals.balance(key.accountId) : null;
    const { free } = roomOf(ledger.totals.key(key.id), key.maxBudgetNanoUsd, balance);
    return free === null || free >= this.#amounts.wantNanoUsd * PLENTY_FACTOR;
  }

  /** Takes a sharper bound of the input. */
  refine(inputTokens: number): void {
    if (inputTokens >= this.#bounds.inputTokens) return;
    this.#bounds = { ...this.#bounds, inputTokens };
    this.#amounts = holdAmounts(this.#bounds);
  }

  /**
   * Asks for it.
   * @param isWhole true: all of the worst case or nothing, for a request that goes ahead meanwhile
   * @param onOutcome told once, never within this call
   */
  ask(isWhole: boolean, onOutcome: (outcome: HoldOutcome) => void): void {
    const { ledger, exchange, key, endpoint, model, price, request } = this.#terms;
    const inputTokens = Math.min(this.#terms.inputTokens, this.#bounds.inputTokens);
    const { wantNanoUsd, softNanoUsd, minNanoUsd } = this.#amounts;
    const { pricePpm } = key.plan;
    const asked: HoldRequest = {
      id: exchange.requestId,
      startedAtMs: exchange.startedAtMs,
      accountId: key.accountId,
      keyId: key.id,
      endpoint,
      model: model.id,
      streamed: request.stream,
      priceId: price.id,
      pricePpm,
      inputTokens,
      inputCostNanoUsd: costOf({ ...NO_USAGE, inputTokens }, price, pricePpm),
      chargesBalance: key.plan.isPrepaid,
      keyCapNanoUsd: key.maxBudgetNanoUsd,
      wantNanoUsd,
      softNanoUsd: isWhole ? wantNanoUsd : softNanoUsd,
      minNanoUsd: isWhole ? wantNanoUsd : minNanoUsd,
    };
    this.#pending = ledger.hold(asked, onOutcome, isWhole);
  }

  /** The request goes no further without it. */
  hurry(): void {
    if (this.#pending !== null) this.#terms.ledger.hurry(this.#pending);
  }

  /** The maximum to forward in place of none; null: nothing must be said. */
  outputLimit(grantedNanoUsd: bigint): number | null {
    if (this.#bounds.isMaxNamed) return null;
    if (grantedNanoUsd < this.#amounts.wantNanoUsd)
      return affordableOutputTokens(this.#bounds, grantedNanoUsd);
    return this.#terms.model.maxOutputTokens === null ? this.#bounds.maxOutputTokens : null;
  }
}

function boundsOf({ key, model, price, request, body }: HoldTerms): RequestBounds {
  const modelMax = model.maxOutputTokens;
  const named = request.maxOutputTokens;
  return {
    prices: price,
    pricePpm: key.plan.pricePpm,
    inputTokens: boundInputTokens({ bodyBytes: body.length, request, contextTokens: model.contextTokens }),
    writesCache: request.writesCache,
    maxOutputTokens:
      named === null ? (modelMax ?? UNKNOWN_MODEL_MAX_OUTPUT_TOKENS) : Math.min(named, modelMax ?? named),
    choices: request.choices,
    isMaxNamed: named !== null,
  };
}
