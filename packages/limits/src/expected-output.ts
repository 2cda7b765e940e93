const FIRST_GUESS = 1024;
const SAMPLES = 512;
const FEWEST_SAMPLES = 20;
const MAX_MODELS = 1000;
const PERCENTILE = 0.95;

/**
 * Learns the output tokens of each model from its last 512 responses. This determines how many tokens per minute a
 * request reserves. The difference to actual usage is corrected at the end of the request.
 */
export class ExpectedOutput {
  readonly #models = new Map<string, RecentSamples>();

  /** Learns from a completed response. */
  note(model: string, outputTokens: number): void {
    if (!Number.isFinite(outputTokens) || outputTokens < 0) return;
    let samples = this.#models.get(model);
    if (samples === undefined) {
      if (this.#models.size >= MAX_MODELS) this.#forgetFirst();
      samples = new RecentSamples();
      this.#models.set(model, samples);
    }
    samples.add(outputTokens);
  }

  /**
   * Returns the 95th percentile of the model's recent responses, or 1,024 with fewer than 20 responses; at most the
   * maximum of the request.
   *
   * @param maxAsked maximum in the request; null: none
   */
  expectedOutputTokens(model: string, maxAsked: number | null): number {
    const learned = this.#models.get(model)?.percentile() ?? FIRST_GUESS;
    return maxAsked === null ? learned : Math.min(maxAsked, learned);
  }

  #forgetFirst(): void {
    const first = this.#models.keys().next();
    if (first.done !== true) this.#models.delete(first.value);
  }
}

/** Recent samples in arrival order, for eviction, and sorted by size. */
class RecentSamples {
  readonly #arrived = new Float64Array(SAMPLES);
  readonly #sorted = new Float64Array(SAMPLES);
  #count = 0;
  #next = 0;

  add(sample: number): void {
    if (this.#count === SAMPLES) this.#remove(this.#arrived[this.#next] ?? 0);
    const at = this.#firstNotBelow(sample);
    this.#sorted.copyWithin(at + 1, at, this.#count);
    this.#sorted[at] = sample;
    this.#count += 1;
    this.#arrived[this.#next] = sample;
    this.#next = (this.#next + 1) % SAMPLES;
  }

  /** null: too few samples. */
  percentile(): number | null {
    if (this.#count < FEWEST_SAMPLES) return null;
    return this.#sorted[Math.ceil(this.#count * PERCENTILE) - 1] ?? null;
  }

  #remove(sample: number): void {
    const at = this.#firstNotBelow(sample);
    this.#sorted.copyWithin(at, at + 1, this.#count);
    this.#count -= 1;
  }

  #firstNotBelow(sample: number): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] ?? 0) < sample) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
