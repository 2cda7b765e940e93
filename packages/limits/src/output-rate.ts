import { TYPICAL_TOKENS_PER_SECOND as FIRST_GUESS } from '@tollgate/core/models/typical-rate';

const MAX_MODELS = 1000;
/** Accounts whose latest answers count for a model; the one that has not used it for longest is forgotten first. */
const MAX_ACCOUNTS = 32;
/** From so many accounts on, the median counts: a single one moves it no further than to the next account's rate. */
const FEWEST_ACCOUNTS = 3;
/** Weight of the latest answer in the running average. */
const LATEST = 0.2;
/** Shorter answers say little about a model's speed. */
const FEWEST_TOKENS = 16;
const SHORTEST_MS = 50;
/** A smaller part of the output is the error of counting visible text, not hidden reasoning. */
const FEWEST_HIDDEN = 0.25;
/** What one or two other accounts have seen is believed up to this many times more or less than the first guess. */
const BELIEVED_FACTOR = 4;
/** Faster than any provider. */
const MAX_TOKENS_PER_SECOND = 5_000;

/** A complete answer whose usage the provider reported. */
export interface OutputSample {
  model: string;
  outputTokens: number;
  /** Of its visible text, in estimate. */
  visibleTokens: number;
  /** From the request to the provider to the end of its answer. */
  durationMs: number;
}

/** An answer that was cut off. */
export interface CutAnswer {
  model: string;
  /** What of it was seen. */
  visibleTokens: number;
  /** From the request to the provider to the cut. */
  elapsedMs: number;
}

/** The running averages of one account's answers from one model. */
interface Rate {
  tokensPerSecond: number;
  hiddenShare: number;
}

/**
 * How fast each model writes, and whether it reasons without showing it, learned from complete answers: what an answer that
 * was cut off had cost by then follows from it. Every account has one vote for a model, however many answers it had, so
 * that none decides what the others pay.
 */
export class OutputRates {
  readonly #models = new Map<string, Map<string, Rate>>();

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
   * Estimates the output of an answer that was cut off.
   * @returns never less than was seen; just that for models that were not seen to reason without showing it
   */
  estimateTokens(accountId: string, { model, visibleTokens, elapsedMs }: CutAnswer): number {
    const known = this.#rateFor(model, accountId);
    if (known !== null && visibleTokens > 0 && known.hiddenShare < FEWEST_HIDDEN) return visibleTokens;
    const rate = known?.tokensPerSecond ?? FIRST_GUESS;
    return Math.max(visibleTokens, Math.round((rate * Math.max(0, elapsedMs)) / 1000));
  }

  /** @returns null where no answer of the model is known */
  #rateFor(model: string, accountId: string): Rate | null {
    const accounts = this.#models.get(model);
    if (accounts === undefined) return null;
    const own = accounts.get(accountId);
    if (accounts.size < FEWEST_ACCOUNTS && own !== undefined) return own;
    const all = [...accounts.values()];
    const tokensPerSecond = medianOf(all.map((rate) => rate.tokensPerSecond));
    const hiddenShare = medianOf(all.map((rate) => rate.hiddenShare));
    if (accounts.size >= FEWEST_ACCOUNTS) return { tokensPerSecond, hiddenShare };
    const least = FIRST_GUESS / BELIEVED_FACTOR;
    const most = FIRST_GUESS * BELIEVED_FACTOR;
    return { tokensPerSecond: Math.min(Math.max(tokensPerSecond, least), most), hiddenShare };
  }

  #accountsOf(model: string): Map<string, Rate> {
    const known = this.#models.get(model);
    if (known !== undefined) return known;
    if (this.#models.size >= MAX_MODELS) forgetFirst(this.#models);
    const added = new Map<string, Rate>();
    this.#models.set(model, added);
    return added;
  }
}

/** Of an even number of values the lower one in the middle: an estimate should not charge more than was seen. */
function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

function forgetFirst(map: Map<string, unknown>): void {
  const first = map.keys().next();
  if (first.done !== true) map.delete(first.value);
}
