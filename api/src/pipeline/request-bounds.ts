import type { Buffer } from 'node:buffer';
import type { Dialect } from '@tollgate/core/models/dialect';
import { boundToolReads, boundTurns, readsUnboundedResults } from '@tollgate/core/money/rates/bound-rates';
import { boundInputTokens } from '@tollgate/dialects/input-tokens/bound-input-tokens';
import { findClaudeRules } from '@tollgate/dialects/model-rules/find-model-rules';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import type { RequestBounds } from '@tollgate/ledger/hold-amounts';
import type { Model } from '../catalogue/catalogue.ts';
import type { Route } from '../catalogue/route.ts';
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

/** What the maximum cost of a request is computed from. */
export interface BoundsTerms {
  key: CachedKey;
  /** The multiplier of the price, in millionths. */
  pricePpm: number;
  /** The caller's. */
  dialect: Dialect;
  model: Model;
  rates: RequestRates;
  request: RelayRequest;
  body: Buffer;
  /** The likely input. */
  inputTokens: number;
}

/** Computes the bounds of a request at one model. */
export function computeBounds(terms: BoundsTerms): RequestBounds {
  const { model, pricePpm, rates, request, body, inputTokens } = terms;
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
    pricePpm,
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
function writesUnasked({ ends, upstreamModel }: Route, { dialect, request, body }: BoundsTerms): boolean {
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
