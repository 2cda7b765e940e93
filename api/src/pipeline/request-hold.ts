import type { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors/errors';
import type { HoldRequest } from '@tollgate/core/money/ledger';
import type { Dialect } from '@tollgate/core/models/dialect';
import { NO_USAGE } from '@tollgate/core/money/money';
import {
  boundToolReads,
  boundTurns,
  readsUnboundedResults,
  runsTools,
} from '@tollgate/core/money/rates/bound-rates';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import { boundInputTokens } from '@tollgate/dialects/input-tokens/bound-input-tokens';
import { findClaudeRules } from '@tollgate/dialects/model-rules/find-model-rules';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
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
import type { Route } from '../catalogue/route.ts';
import type { Exchange } from '../exchange.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import type { RequestRates } from './request-rates.ts';

/** Output limit sent for models without a known one, so that the worst case is bounded. */
const UNKNOWN_MODEL_MAX_OUTPUT_TOKENS = 16_384;
/** Estimated input is often less than the provider's count. */
const INPUT_MARGIN = 1.25;
/** A maximum chosen by the gateway is not lowered below this to fit the model's context, unless that is small. */
const MIN_ROOM_TOKENS = 4_096;
const MIN_ROOM_SHARE = 0.25;
/**
 * A longer maximum of a request is lowered to what its account can pay, but not below this: coding agents ask for the
 * longest response in every request, and mostly need little.
 */
const LEAST_NAMED_TOKENS = 8_192;
/** For the visible response after a reasoning budget. */
const LEAST_VISIBLE_TOKENS = 1_024;

export interface HoldTerms {
  ledger: Ledger;
  exchange: Exchange;
  key: CachedKey;
  endpoint: string;
  /** The caller's. */
  dialect: Dialect;
  model: Model;
  price: Price;
  rates: RequestRates;
  request: RelayRequest;
  body: Buffer;
  /** The likely input. */
  inputTokens: number;
}

/** The hold of one request on its key's budget and its account's balance. */
export class RequestHold {
  readonly #terms: HoldTerms;
  #bounds: RequestBounds;
  #wantNanoUsd: bigint;
  #pending: PendingHold | null = null;

  private constructor(terms: HoldTerms) {
    this.#terms = terms;
    this.#bounds = computeBounds(terms);
    this.#wantNanoUsd = wantedAmount(this.#bounds);
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

  get amounts(): HoldAmounts {
    return holdAmounts(this.#bounds);
  }

  /** True if the provider may call its own tools, so that the model reads its input again. */
  get hasServerTools(): boolean {
    const { request } = this.#terms;
    return request.hasUncountedTools === true || runsTools(request.rateNeeds ?? []);
  }

  /** True if the body does not show the size of the input. A search model searches before it reads, as the count assumes. */
  get hasUnboundedInput(): boolean {
    const { request } = this.#terms;
    if (request.hasUnboundedInput || request.hasUncountedTools === true) return true;
    const needs = request.rateNeeds ?? [];
    return readsUnboundedResults(needs.filter((need) => !('leastCalls' in need)));
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
    if (inputTokens >= this.#bounds.inputTokens) return;
    this.#bounds = { ...this.#bounds, inputTokens };
    this.#wantNanoUsd = wantedAmount(this.#bounds);
  }

  /**
   * Requests the hold.
   * @param isWhole true: the whole worst case or nothing, for a request that is sent meanwhile
   * @param onOutcome called once, never within this call
   */
  ask(isWhole: boolean, onOutcome: (outcome: HoldOutcome) => void): void {
    const { ledger, exchange, key, endpoint, model, price, request } = this.#terms;
    const inputTokens = Math.min(this.#terms.inputTokens, this.#bounds.inputTokens);
    const wantNanoUsd = this.#wantNanoUsd;
    const { softNanoUsd, minNanoUsd, keyMinNanoUsd } = isWhole
      ? { softNanoUsd: wantNanoUsd, minNanoUsd: wantNanoUsd, keyMinNanoUsd: wantNanoUsd }
      : this.amounts;
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
    if (grantedNanoUsd >= this.amounts.keyMinNanoUsd)
      return affordableAfterTurns(this.#bounds, grantedNanoUsd);
    return affordableOutputTokens(this.#bounds, grantedNanoUsd);
  }

  /** True if a maximum is lower than the requested one, or than the model's limit. */
  isLowered(outputTokens: number): boolean {
    const asked = this.#terms.request.maxOutputTokens ?? this.#terms.model.maxOutputTokens;
    return asked === null || outputTokens < asked;
  }

  /** The error if the maximum to be sent is too low for other members of the request; null: none. */
  checkLimit(): GatewayError | null {
    const { maxOutputTokens } = this.#bounds;
    const budget = this.#terms.request.thinkingBudgetTokens ?? 0;
    if (budget < maxOutputTokens || !this.#bounds.isMaxNamed || !this.isLowered(maxOutputTokens)) return null;
    return {
      code: 'invalid_request',
      message: `thinking.budget_tokens must be less than max_tokens, which is at most ${maxOutputTokens} for this model.`,
      param: 'thinking.budget_tokens',
    };
  }
}

function computeBounds(terms: HoldTerms): RequestBounds {
  const { key, model, rates, request, body, inputTokens } = terms;
  const modelMax = model.maxOutputTokens;
  const named = request.maxOutputTokens;
  const needs = request.rateNeeds ?? [];
  const hasUncountedTools = request.hasUncountedTools === true;
  const isUnbounded = hasUncountedTools || readsUnboundedResults(needs);
  const toolReads = isUnbounded ? null : boundToolReads(needs);
  const turns = toolReads === null ? boundTurns(needs, hasUncountedTools) : 1;
  const sized = isUnbounded ? { ...request, hasUnboundedInput: true } : request;
  const getInput = ({ contextTokens }: Model, of: RelayRequest = sized) =>
    boundInputTokens({ bodyBytes: body.length, request: of, contextTokens });
  const maxOutputTokens = named === null ? roomFor(model, inputTokens) : Math.min(named, modelMax ?? named);
  // Not limited by the request's maximum.
  const mostOutput = (of: Model) =>
    Math.max(of.maxOutputTokens ?? UNKNOWN_MODEL_MAX_OUTPUT_TOKENS, maxOutputTokens);
  const besideFurther = Math.max(budgetBeside(request), request.fallbackBudgetTokens ?? 0);
  const further = rates.further.map((other) => ({
    prices: other.prices,
    toolCallsNanoUsd: other.toolCallsNanoUsd,
    calls: other.calls,
    inputTokens: getInput(other.model),
    // Limited by the other model's own maximum: the request's maximum is for the requested model.
    outputTokens: mostOutput(other.model) + besideFurther,
  }));
  return {
    prices: rates.prices,
    toolCallsNanoUsd: rates.toolCallsNanoUsd,
    further,
    pricePpm: key.plan.pricePpm,
    inputTokens: getInput(model),
    turns,
    ...(toolReads !== null && {
      toolReads: { ...toolReads, isRereadCached: isRereadCached(request, model.routes) },
    }),
    ...(request.hasCompaction === true && {
      compaction: {
        inputTokens: getInput(model, { ...request, hasUnboundedInput: true }),
        outputTokens: mostOutput(model),
      },
    }),
    writesCache: request.writesCache || model.routes.some((route) => writesUnasked(route, terms)),
    maxOutputTokens,
    choices: request.choices,
    outputBesideMaximum: budgetBeside(request),
    isMaxNamed: named !== null,
    leastNamedTokens: Math.max(
      LEAST_NAMED_TOKENS,
      (request.thinkingBudgetTokens ?? 0) + LEAST_VISIBLE_TOKENS,
    ),
  };
}

/**
 * Reasoning that the request's maximum does not limit: with interleaved thinking, a budget may exceed `max_tokens`, and counts
 * for all reasoning of a response (https://platform.claude.com/docs/en/build-with-claude/extended-thinking). Otherwise Claude
 * refuses such a budget.
 */
function budgetBeside({ thinkingBudgetTokens = 0, maxOutputTokens }: RelayRequest): number {
  return maxOutputTokens !== null && thinkingBudgetTokens >= maxOutputTokens ? thinkingBudgetTokens : 0;
}

/**
 * True if a provider may write to its cache although the caller marks nothing. OpenAI's API caches without breakpoints, and
 * bills the cache writes of some models. For Claude, the gateway places breakpoints in requests that it translates.
 */
function writesUnasked({ ends, upstreamModel }: Route, { dialect, request, body }: HoldTerms): boolean {
  if (ends.some((end) => end.dialect !== 'anthropic-messages')) return true;
  if (dialect === 'anthropic-messages') return false;
  const minCacheTokens = findClaudeRules(upstreamModel)?.minCacheTokens ?? Infinity;
  // No token is shorter than a byte.
  return body.length + (request.addedToolBytes ?? 0) >= minCacheTokens;
}

const CACHING_PRESETS: ReadonlySet<string | null> = new Set(['openai', 'azure-openai']);

/** True if all providers are known to bill a repeated input at the price of cached input. Other servers may cache nothing. */
function isRereadCached({ choosesCaching }: RelayRequest, routes: readonly Route[]): boolean {
  if (choosesCaching === true) return false;
  return routes.every(
    ({ provider, ends }) =>
      provider.kind === 'http' &&
      CACHING_PRESETS.has(provider.preset) &&
      ends.every(({ dialect }) => dialect !== 'anthropic-messages'),
  );
}

/** The maximum for a request that names none. Providers refuse one that does not fit in the context with the input. */
function roomFor({ maxOutputTokens, contextTokens }: Model, inputTokens: number): number {
  const most = maxOutputTokens ?? UNKNOWN_MODEL_MAX_OUTPUT_TOKENS;
  if (contextTokens === null) return most;
  const room = contextTokens - Math.ceil(inputTokens * INPUT_MARGIN);
  const least = Math.min(MIN_ROOM_TOKENS, Math.ceil(contextTokens * MIN_ROOM_SHARE));
  return Math.min(most, Math.max(room, least));
}
