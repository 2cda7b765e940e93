const MAX_MODELS = 1000;
/** Weight of the latest answer in the running average. */
const LATEST = 0.2;
/** Shorter answers say little about a model's speed. */
const FEWEST_TOKENS = 16;
const SHORTEST_MS = 50;
/** A smaller part of the output is the error of counting visible text, not hidden reasoning. */
const FEWEST_HIDDEN = 0.25;
/** Of models of which no answer is known yet: what most providers reach, in tokens per second. */
const FIRST_GUESS = 40;
/** Faster than any provider. */
const MAX_TOKENS_PER_SECOND = 5_000;

/** A complete answer whose usage the provider reported. */
export interface OutputSample {
  outputTokens: number;
  /** Of its visible text, in estimate. */
  visibleTokens: number;
  /** From the request to the provider to the end of its answer. */
  durationMs: number;
}

/**
 * How fast each model writes, and whether it reasons without showing it, learned from complete answers: what an answer that
 * was cut off had cost by then follows from it.
 */
export class OutputRates {
  readonly #models = new Map<string, { tokensPerSecond: number; hiddenShare: number }>();

  note(model: string, { outputTokens, visibleTokens, durationMs }: OutputSample): void {
    if (outputTokens < FEWEST_TOKENS || durationMs < SHORTEST_MS) return;
    const tokensPerSecond = Math.min((outputTokens * 1000) / durationMs, MAX_TOKENS_PER_SECOND);
    const hiddenShare = Math.max(0, 1 - visibleTokens / outputTokens);
    const known = this.#models.get(model);
    if (known === undefined) {
      if (this.#models.size >= MAX_MODELS) this.#forgetFirst();
      this.#models.set(model, { tokensPerSecond, hiddenShare });
      return;
    }
    known.tokensPerSecond += LATEST * (tokensPerSecond - known.tokensPerSecond);
    known.hiddenShare += LATEST * (hiddenShare - known.hiddenShare);
  }

  /**
   * The output of an answer that was cut off.
   * @param visibleTokens what of it was seen
   * @param elapsedMs from the request to the provider to the cut
   * @returns never less than was seen; just that for models that were not seen to reason without showing it
   */
  estimateTokens(model: string, visibleTokens: number, elapsedMs: number): number {
    const known = this.#models.get(model);
    if (known !== undefined && visibleTokens > 0 && known.hiddenShare < FEWEST_HIDDEN) return visibleTokens;
    const rate = known?.tokensPerSecond ?? FIRST_GUESS;
    return Math.max(visibleTokens, Math.round((rate * Math.max(0, elapsedMs)) / 1000));
  }

  #forgetFirst(): void {
    const first = this.#models.keys().next();
    if (first.done !== true) this.#models.delete(first.value);
  }
}
