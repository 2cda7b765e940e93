import { NO_USAGE, type TokenUsage } from '@tollgate/core/money/money';
import type { Price } from '../catalogue/catalogue.ts';
import type { AttemptFailure } from './attempt-failure.ts';
import type { Attempt } from './attempt.ts';
import { addCertainCalls } from './certain-calls.ts';
import type { ProducedOutput } from './likely-output.ts';
import type { Metered } from './metered.ts';
import type { RelayContext } from './relay.ts';
import type { RequestHold } from './request-hold.ts';

/** Outcomes after which the provider may have worked on the request. */
const MAY_BE_BILLED: ReadonlySet<string> = new Set(['timeout', 'cut', 'unreadable']);
/** Minimum interval between measurements of a drained response. */
const METER_EVERY_MS = 250;
/** For requests that name no maximum and have no hold. */
const MAX_HIDDEN_TOKENS = 16_384;

export interface RunCostsContext extends Pick<RelayContext, 'settlement' | 'estimateInput' | 'request'> {
  hold: RequestHold | null;
  outputLimit: number | null;
  price: Price;
}

/** Tracks what the providers of one request produced, and its unbilled cost. */
export class RunCosts {
  readonly #context: RunCostsContext;
  #meteredAtMs = 0;

  constructor(context: RunCostsContext) {
    this.#context = context;
  }

  /** What the provider has written so far, including hidden reasoning. */
  produced(attempt: Attempt): ProducedOutput {
    return this.#context.settlement.output.of(attempt.meter(), this.#maxOutputTokens);
  }

  /** True if the output costs as much as is held; measured at most every `METER_EVERY_MS`. */
  exceedsHold(attempt: Attempt): boolean {
    const nowMs = Date.now();
    if (nowMs - this.#meteredAtMs < METER_EVERY_MS) return false;
    this.#meteredAtMs = nowMs;
    const { usage } = this.produced(attempt).billed;
    return usage !== null && this.#context.settlement.exceedsHold(usage);
  }

  /** Adds the unbilled cost of work that no caller pays for. */
  noteDiscarded(usage: TokenUsage | null): void {
    this.#noteAnswer(usage ?? this.#askedUsage(true), null);
  }

  /** Adds the unbilled cost of all that the provider has written. */
  noteWithdrawn(attempt: Attempt): void {
    const { billed, unbilledTokens } = this.produced(attempt);
    this.noteDiscarded(billed.usage);
    this.noteUnbilledOutput(unbilledTokens);
  }

  /** A caller whose response broke off pays only for what it received. */
  noteHidden(attempt: Attempt, billed: Metered): void {
    const produced = this.produced(attempt);
    const hidden = (produced.billed.usage?.outputTokens ?? 0) - (billed.usage?.outputTokens ?? 0);
    this.noteUnbilledOutput(hidden + produced.unbilledTokens);
  }

  /** Adds the unbilled cost of output. */
  noteUnbilledOutput(outputTokens: number): void {
    if (outputTokens > 0) this.#noteUnbilled({ ...NO_USAGE, outputTokens });
  }

  /**
   * Adds the cost of a failed attempt: its partial output, else its input if the provider may have worked on it. A provider
   * that was too slow probably goes on, so its likely output counts too.
   */
  noteFailed(attempt: Attempt, { outcome, fault, isOwn = false }: AttemptFailure): void {
    if (isOwn) return this.noteWithdrawn(attempt);
    // It has received nothing, so it bills nothing.
    if (fault === 'unreachable') return;
    const metered = attempt.meter();
    const { usage, rawUsage } = metered;
    const isWorking = outcome === 'timeout';
    if (MAY_BE_BILLED.has(outcome)) this.#noteAnswer(usage ?? this.#askedUsage(isWorking), rawUsage);
    else if (usage !== null && rawUsage !== null) this.#noteAnswer(usage, rawUsage);
  }

  /**
   * Settles a response that failed after its caller disconnected. It is billed only if the caller received a part of it, or
   * if a limit of the gateway ended it.
   */
  settleDrained(attempt: Attempt, failure: AttemptFailure): void {
    if (failure.isOwn === true) return this.settleStopped(this.produced(attempt));
    const metered = attempt.hasBegun ? attempt.meter() : null;
    if (metered === null) this.noteFailed(attempt, failure);
    else this.noteHidden(attempt, metered);
    this.#context.settlement.settleGone(metered ?? {});
  }

  /** Settles a response that is read no further. It is not billed before it has started. @param produced null: no provider call */
  settleStopped(produced: ProducedOutput | null): void {
    if (produced !== null && produced.billed.usage === null) this.noteDiscarded(null);
    this.noteUnbilledOutput(produced?.unbilledTokens ?? 0);
    this.#context.settlement.settleGone(produced?.billed ?? {});
  }

  get #maxOutputTokens(): number {
    const { hold, request, outputLimit } = this.#context;
    const max = hold?.bounds.maxOutputTokens ?? outputLimit ?? request.maxOutputTokens ?? MAX_HIDDEN_TOKENS;
    return max * request.choices;
  }

  /** Likely usage of a provider that has not responded yet. */
  #askedUsage(isWorking: boolean): TokenUsage {
    const { settlement, estimateInput } = this.#context;
    const outputTokens = isWorking ? Math.min(settlement.output.unseenTokens, this.#maxOutputTokens) : 0;
    return { ...NO_USAGE, inputTokens: estimateInput(), outputTokens };
  }

  #noteAnswer(usage: TokenUsage, rawUsage: string | null): void {
    this.#noteUnbilled(addCertainCalls(usage, this.#context.settlement.served.needs, rawUsage));
  }

  #noteUnbilled(usage: TokenUsage): void {
    this.#context.settlement.noteUnbilled(usage, this.#context.price);
  }
}
