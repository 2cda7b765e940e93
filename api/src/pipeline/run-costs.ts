import { NO_USAGE, type TokenUsage } from '@tollgate/core/money/money';
import { boundTurns } from '@tollgate/core/money/rates/bound-rates';
import { hasOutput } from '@tollgate/dialects/usage/billed-parts';
import type { Price } from '../catalogue/catalogue.ts';
import type { AttemptFailure } from './attempt-failure.ts';
import type { Attempt } from './attempt.ts';
import { addCertainCalls } from './certain-calls.ts';
import type { ProducedOutput } from './likely-output.ts';
import { UNMETERED, type Metered } from './metered.ts';
import type { RelayContext } from './relay.ts';
import type { RequestHold } from './request-hold.ts';
import { asLost } from './settlement-values.ts';

/** Outcomes after which the provider may have worked on the request. */
const MAY_BE_BILLED: ReadonlySet<string> = new Set([
  'timeout',
  'first_token_timeout',
  'hedged',
  'cut',
  'unreadable',
]);
/** A provider that is too slow probably goes on. */
const STILL_WORKING: ReadonlySet<string> = new Set(['timeout', 'first_token_timeout', 'hedged']);
/** Minimum interval between measurements of a drained response. */
const METER_EVERY_MS = 250;
/** Minimum time of a turn: the model calls a tool of the provider, which answers. */
const SHORTEST_TURN_MS = 2_000;
/** Input that a call of such a tool may bring, for requests without a hold: a large result. */
const TOOL_RESULT_TOKENS = 16_000;
/** For requests that name no maximum and have no hold. */
const MAX_HIDDEN_TOKENS = 16_384;

export interface RunCostsContext extends Pick<
  RelayContext,
  'settlement' | 'estimateInput' | 'request' | 'spec' | 'inputTokens'
> {
  hold: RequestHold | null;
  outputLimit: number | null;
  price: Price;
}

/** Tracks what the providers of one request produced, and its unbilled cost. */
export class RunCosts {
  /** The request at the model that is tried. */
  context: RunCostsContext;
  #meteredAtMs = 0;

  constructor(context: RunCostsContext) {
    this.context = context;
  }

  /** What the provider has written so far, including hidden reasoning. */
  produced(attempt: Attempt): ProducedOutput {
    return this.context.settlement.output.of(attempt.meter(), this.#maxOutputTokens);
  }

  /** True if the output costs as much as is held; measured at most every `METER_EVERY_MS`. */
  exceedsHold(attempt: Attempt): boolean {
    const nowMs = Date.now();
    if (nowMs - this.#meteredAtMs < METER_EVERY_MS) return false;
    this.#meteredAtMs = nowMs;
    const { usage } = this.produced(attempt).billed;
    return usage !== null && this.context.settlement.exceedsHold(usage);
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

  /** A caller whose response was interrupted pays only for what it received. */
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
  noteFailed(attempt: Attempt, { outcome, blame, exceedsLimit = false }: AttemptFailure): void {
    if (exceedsLimit) return this.noteWithdrawn(attempt);
    // It has received nothing, so it bills nothing.
    if (blame === 'unreachable') return;
    const metered = attempt.meter();
    const { usage, rawUsage } = metered;
    const isWorking = STILL_WORKING.has(outcome);
    if (MAY_BE_BILLED.has(outcome)) this.#noteAnswer(usage ?? this.#askedUsage(isWorking), rawUsage);
    else if (usage !== null && rawUsage !== null) this.#noteAnswer(usage, rawUsage);
  }

  /** Adds the likely cost of an attempt that was sent and gave nothing, though the caller has an earlier part of the response. */
  noteUnanswered({ outcome }: AttemptFailure): void {
    if (MAY_BE_BILLED.has(outcome)) this.#noteAnswer(this.#askedUsage(STILL_WORKING.has(outcome)), null);
  }

  /**
   * Settles a response that failed after its caller disconnected. It is billed only if the caller received a part of it, or
   * if a limit of the gateway ended it.
   */
  settleDrained(attempt: Attempt, failure: AttemptFailure): void {
    if (failure.exceedsLimit === true)
      return this.context.settlement.settleDisconnected(this.billStopped(attempt));
    const metered = attempt.hasBegun ? attempt.meter() : null;
    if (metered === null) this.noteFailed(attempt, failure);
    else this.noteHidden(attempt, metered);
    this.context.settlement.settleDisconnected(metered ?? {});
  }

  /** Checkpoints a response in flight: it is billed if this process dies. */
  checkpointLost(attempt: Attempt): void {
    const { usage } = attempt.meter();
    if (usage !== null) this.context.settlement.checkpoint(asLost(usage));
  }

  /** What is billed of a response that failed. Adds the rest to the unbilled cost. */
  billFailed(attempt: Attempt): Metered {
    if (!attempt.hasBegun) return UNMETERED;
    const metered = attempt.meter();
    this.noteHidden(attempt, metered);
    return metered;
  }

  /** What is billed of a response that is read no further. Adds the rest to the unbilled cost. */
  billStopped(attempt: Attempt | null): Metered {
    if (attempt === null) return UNMETERED;
    const { billed, unbilledTokens } = this.produced(attempt);
    if (billed.usage === null) return billed.isFinal ? UNMETERED : this.#billUnseen(attempt);
    this.noteUnbilledOutput(unbilledTokens);
    return billed;
  }

  /** A response of which nothing has arrived is billed by estimate. */
  #billUnseen(attempt: Attempt): Metered {
    const { settlement, estimateInput, spec } = this.context;
    // A provider that has received nothing bills nothing.
    if (!attempt.wasSent || !spec.isMetered) return UNMETERED;
    const { billedTokens, likelyTokens } = settlement.output.unseen;
    const outputTokens = Math.min(billedTokens, this.#maxOutputTokens);
    const usage = { ...NO_USAGE, inputTokens: estimateInput(), outputTokens };
    const isBilled = settlement.isCovered;
    if (!isBilled) this.#noteAnswer(usage, null);
    this.noteUnbilledOutput(Math.min(likelyTokens, this.#maxOutputTokens) - outputTokens);
    this.#noteToolInput();
    return isBilled ? { ...UNMETERED, usage, estimated: true } : UNMETERED;
  }

  /** Adds the input that the tools of the provider may have brought in its time. */
  #noteToolInput(): void {
    const { hold, request, settlement, inputTokens } = this.context;
    const turns = boundTurns(request.rateNeeds ?? [], request.hasUncountedTools === true);
    const calls = Math.min(turns - 1, Math.ceil(settlement.output.workedMs / SHORTEST_TURN_MS));
    const { inputTokens: held, toolReads } = hold?.bounds ?? {
      inputTokens: inputTokens + TOOL_RESULT_TOKENS,
    };
    const perCall = held + (toolReads?.resultTokens ?? 0);
    if (calls > 0) this.#noteUnbilled({ ...NO_USAGE, inputTokens: calls * perCall });
  }

  get #maxOutputTokens(): number {
    const { hold, request, outputLimit, spec } = this.context;
    if (!hasOutput(spec.endpoint)) return 0;
    const max = hold?.bounds.maxOutputTokens ?? outputLimit ?? request.maxOutputTokens ?? MAX_HIDDEN_TOKENS;
    return max * request.choices;
  }

  /** Likely usage of a provider that has not responded yet. */
  #askedUsage(isWorking: boolean): TokenUsage {
    const { settlement, estimateInput } = this.context;
    const { likelyTokens } = settlement.output.unseen;
    const outputTokens = isWorking ? Math.min(likelyTokens, this.#maxOutputTokens) : 0;
    return { ...NO_USAGE, inputTokens: estimateInput(), outputTokens };
  }

  #noteAnswer(usage: TokenUsage, rawUsage: string | null): void {
    this.#noteUnbilled(addCertainCalls(usage, this.context.settlement.served.needs, rawUsage));
  }

  #noteUnbilled(usage: TokenUsage): void {
    this.context.settlement.noteUnbilled(usage, this.context.price);
  }
}
