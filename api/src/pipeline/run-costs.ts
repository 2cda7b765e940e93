import { NO_USAGE, type TokenUsage } from '@tollgate/core/money/money';
import type { Price } from '../catalogue/catalogue.ts';
import type { AttemptFailure } from './attempt-failure.ts';
import type { Attempt } from './attempt.ts';
import type { Metered } from './metered.ts';
import type { RelayContext } from './relay.ts';
import type { RequestHold } from './request-hold.ts';

/** Outcomes after which the provider may have worked on the request. */
const MAY_BE_BILLED: ReadonlySet<string> = new Set(['timeout', 'cut', 'unreadable']);
/** How often an answer that is read on is metered at most. */
const METER_EVERY_MS = 250;
/** Of requests that name no maximum, and have no hold. */
const MAX_HIDDEN_TOKENS = 16_384;

export interface RunCostsContext extends Pick<RelayContext, 'settlement' | 'estimateInput' | 'request'> {
  hold: RequestHold | null;
  outputLimit: number | null;
  price: Price;
}

/** What the providers of one request have done for it, and what of that no caller is billed for. */
export class RunCosts {
  readonly #context: RunCostsContext;
  #meteredAtMs = 0;

  constructor(context: RunCostsContext) {
    this.#context = context;
  }

  /** What the provider has written by now, hidden reasoning included. */
  produced(attempt: Attempt): Metered {
    return this.#context.settlement.addHidden(attempt.meter(), this.#maxOutputTokens);
  }

  /** True where what was written costs as much as is held; looked at a few times a second. */
  exceedsHold(attempt: Attempt): boolean {
    const nowMs = Date.now();
    if (nowMs - this.#meteredAtMs < METER_EVERY_MS) return false;
    this.#meteredAtMs = nowMs;
    const { usage } = this.produced(attempt);
    return usage !== null && this.#context.settlement.exceedsHold(usage);
  }

  /** A provider works on the request, or has answered it, and no caller is billed. */
  noteDiscarded(usage: TokenUsage | null): void {
    this.#noteUnbilled(usage ?? this.#askedUsage(true));
  }

  /** A caller whose answer broke off pays for what it got. */
  noteHidden(attempt: Attempt, billed: Metered): void {
    const hidden = (this.produced(attempt).usage?.outputTokens ?? 0) - (billed.usage?.outputTokens ?? 0);
    if (hidden > 0) this.#noteUnbilled({ ...NO_USAGE, outputTokens: hidden });
  }

  /** A failed attempt: what came of its answer, else its input where the provider may have worked on it. */
  noteFailed(attempt: Attempt, { outcome }: AttemptFailure): void {
    const metered = attempt.meter();
    if (MAY_BE_BILLED.has(outcome)) this.#noteUnbilled(metered.usage ?? this.#askedUsage(false));
    else if (metered.usage !== null && metered.rawUsage !== null) this.#noteUnbilled(metered.usage);
  }

  get #maxOutputTokens(): number {
    const { hold, request, outputLimit } = this.#context;
    const max = hold?.bounds.maxOutputTokens ?? outputLimit ?? request.maxOutputTokens ?? MAX_HIDDEN_TOKENS;
    return max * request.choices;
  }

  /** What a provider has probably used that has answered nothing yet. */
  #askedUsage(isWorking: boolean): TokenUsage {
    const { settlement, estimateInput } = this.#context;
    const outputTokens = isWorking ? Math.min(settlement.producedTokens(0), this.#maxOutputTokens) : 0;
    return { ...NO_USAGE, inputTokens: estimateInput(), outputTokens };
  }

  #noteUnbilled(usage: TokenUsage): void {
    this.#context.settlement.noteUnbilled(usage, this.#context.price);
  }
}
