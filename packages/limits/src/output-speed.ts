import { TYPICAL_TOKENS_PER_SECOND as FIRST_GUESS } from '@tollgate/core/models/typical-speed';

const MAX_MODELS = 1000;
/** Accounts whose recent responses count for a model; the least recently used is evicted first. */
const MAX_ACCOUNTS = 32;
/** Minimum number of accounts for the median, which one account can move only to the next account's speed. */
const FEWEST_ACCOUNTS = 3;
/** Weight of the latest response in the running average. */
const LATEST = 0.2;
/** Shorter responses do not show a model's speed. */
const FEWEST_TOKENS = 16;
const SHORTEST_MS = 50;
/** A smaller share counts as estimation error of visible text, not as hidden reasoning. */
const FEWEST_HIDDEN = 0.25;
/** Maximum factor between the default speed and the speeds from only one or two other accounts. */
const BELIEVED_FACTOR = 4;
/** Faster than any provider. */
const MAX_TOKENS_PER_SECOND = 5_000;

/** A complete response with reported usage. */
export interface OutputSample {
  model: string;
  outputTokens: number;
  /** Estimated tokens of the visible text. */
  visibleTokens: number;
  /** Time from the provider request to the end of the response. */
  durationMs: number;
}

/** A truncated response. */
export interface CutAnswer {
  model: string;
  /** Tokens of its visible part. */
  visibleTokens: number;
  /** Time from the provider request to the cut. */
  elapsedMs: number;
}

/** Running averages of one account's responses from one model. */
interface Speed {
  tokensPerSecond: number;
  hiddenShare: number;
}

/**
 * Learns each model's speed and hidden reasoning from complete responses, to estimate the output of truncated
 * ones. Every account has one vote per model, independent of its number of responses, so
 * that none determines what others pay.
 */
export class OutputSpeeds {
  readonly #models = new Map<string, Map<string, Speed>>();

  note(accountId: string, { model, outputTokens, visibleTokens, durationMs }: OutputSample): void {
    if (outputTokens < FEWEST_TOKENS || durationMs < SHORTEST_MS) return;
    const tokensPerSecond = Math.min((outputTokens * 1000) / durationMs, MAX_TOKENS_PER_SECOND);
    const hiddenShare = Math.max(0, 1 - visibleTokens / outputTokens);
    const accounts = this.#accountsOf(model);
    const known = accounts.get(accountId) ?? { tokensPerSecond, hiddenShare };
    known.tokensPerSecond += LATEST * (tokensPerSecond - known.tokensPerSecond);
    known.hiddenShare += LATEST * (hiddenShare - known.hiddenShare);
    accounts.delete(accountId);
    if (accounts.size >= MAX_ACCOUNTS) forgetFirst(accounts);
    accounts.set(accountId, known);
  }

  /**
   * Estimates the output of a truncated response.
   * @returns at least the visible output; exactly that for models without hidden reasoning
   */
  estimateTokens(accountId: string, { model, visibleTokens, elapsedMs }: CutAnswer): number {
    const known = this.#speedFor(model, accountId);
    if (known !== null && visibleTokens > 0 && known.hiddenShare < FEWEST_HIDDEN) return visibleTokens;
    const tokensPerSecond = known?.tokensPerSecond ?? FIRST_GUESS;
    return Math.max(visibleTokens, Math.round((tokensPerSecond * Math.max(0, elapsedMs)) / 1000));
  }

  /** @returns null if no response of the model is known */
  #speedFor(model: string, accountId: string): Speed | null {
    const accounts = this.#models.get(model);
    if (accounts === undefined) return null;
    const own = accounts.get(accountId);
    if (accounts.size < FEWEST_ACCOUNTS && own !== undefined) return own;
    const all = [...accounts.values()];
    const tokensPerSecond = medianOf(all.map((speed) => speed.tokensPerSecond));
    const hiddenShare = medianOf(all.map((speed) => speed.hiddenShare));
    if (accounts.size >= FEWEST_ACCOUNTS) return { tokensPerSecond, hiddenShare };
    const least = FIRST_GUESS / BELIEVED_FACTOR;
    const most = FIRST_GUESS * BELIEVED_FACTOR;
    return { tokensPerSecond: Math.min(Math.max(tokensPerSecond, least), most), hiddenShare };
  }

  #accountsOf(model: string): Map<string, Speed> {
    const known = this.#models.get(model);
    if (known !== undefined) return known;
    if (this.#models.size >= MAX_MODELS) forgetFirst(this.#models);
    const added = new Map<string, Speed>();
    this.#models.set(model, added);
    return added;
  }
}

/** Lower median, so that an estimate does not charge too much. */
function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

function forgetFirst(map: Map<string, unknown>): void {
  const first = map.keys().next();
  if (first.done !== true) map.delete(first.value);
}
