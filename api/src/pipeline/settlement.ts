import { NO_USAGE, outputTokensOf, type NanoUsd, type TokenUsage } from '@tollgate/core/money/money';
import type { AttemptRecord, RequestRecord } from '@tollgate/core/money/ledger';
import { boundName } from '@tollgate/core/requests/storable-name';
import type { ServedTerms } from '@tollgate/core/money/rates/rate-need';
import type { Ledger } from '@tollgate/ledger/ledger';
import type { LimitTicket } from '@tollgate/limits/limit-store';
import type { Price } from '../catalogue/catalogue.ts';
import type { Route } from '../catalogue/route.ts';
import type { BodyReservation } from '../request-body/body-budget.ts';
import type { Metered } from './metered.ts';
import { attemptRecord, listAttempts } from './attempt-record.ts';
import { unbilledCostOf, type Bill } from './bill-usage.ts';
import { RequestTimes } from './request-times.ts';
import { ServedWatch } from './served-watch.ts';
import { capAt, joinMismatch, totalTokens } from './settlement-values.ts';
import type { RequestHold } from './request-hold.ts';
import type { SettlementContext } from './settlement-context.ts';

/** nginx's status for a caller that left first; it is written down, never sent. */
const CLIENT_GONE_STATUS = 499;
/** Interval at which the progress of an answer is kept: what a crash may lose of a stream. */
const CHECKPOINT_EVERY_MS = 2_000;

/** How a request ended. */
export interface Outcome extends Partial<Metered> {
  status: number;
  /** null: answered in full. */
  errorCode: string | null;
}

/** Collects what is known of a request on its way and records it exactly once, at its end. */
export class Settlement {
  readonly #context: SettlementContext;
  #price: Price | null = null;
  #route: Route | null = null;
  #model: string | null = null;
  #streamed = false;
  readonly #times: RequestTimes;
  #failures: AttemptRecord[] | null = null;
  #ticket: LimitTicket | null = null;
  #body: BodyReservation | null = null;
  #hold: RequestHold | null = null;
  #grantedNanoUsd: NanoUsd | null = null;
  #operatorCostNanoUsd = 0n;
  readonly served = new ServedWatch();
  #isSettled = false;
  #kept: RequestRecord | null = null;
  #checkpointAtMs: number;
  #isGone = false;

  constructor(context: SettlementContext) {
    this.#context = context;
    this.#times = new RequestTimes(context.exchange.startedAtMs);
    this.#checkpointAtMs = context.exchange.startedAtMs;
  }

  noteRequest(model: string, streamed: boolean): void {
    this.#model = boundName(model);
    this.#streamed = streamed;
  }

  /** What the provider's answer says that it used; null: nothing yet. */
  noteServed(terms: ServedTerms | null): void {
    if (terms === null || this.#route === null || this.#price === null) return;
    const { catalogue, exchange } = this.#context;
    const asked = { route: this.#route, price: this.#price, startedAtMs: exchange.startedAtMs };
    this.served.note(terms, { ...asked, catalogue: catalogue.current });
  }

  /** Its body, its key, its model and its limits have been looked at. */
  noteAdmitted(): void {
    this.#times.noteAdmitted();
  }

  /** What it was taken out of its limits by; it is trued up with the settlement. */
  noteTicket(ticket: LimitTicket): void {
    this.#ticket = ticket;
  }

  /** The memory of its body; it is released with the settlement. */
  noteBody(reservation: BodyReservation): void {
    this.#body = reservation;
  }

  /** What is asked for it; it comes free with the settlement, however that was decided. */
  noteHold(hold: RequestHold): void {
    this.#hold = hold;
  }

  /** From now on it waits for its hold and nothing else. */
  noteHoldWait(): void {
    this.#times.startHoldWait();
  }

  noteGranted(grantedNanoUsd: NanoUsd): void {
    this.#times.endHoldWait();
    this.#grantedNanoUsd = grantedNanoUsd;
  }

  /** The provider may bill so much for output that no caller is billed for. */
  noteUnbilled(usage: TokenUsage, price: Price): void {
    this.#operatorCostNanoUsd += unbilledCostOf(usage, price, this.served.needs);
  }

  /**
   * Adds what the provider has produced beyond what was seen of it: hidden reasoning, by the time that has passed and the
   * rate of the model. Never more than the request may have.
   */
  addHidden(metered: Metered, maxOutputTokens: number): Metered {
    const { usage } = metered;
    if (usage === null || metered.isFinal || this.#model === null) return metered;
    const seen = outputTokensOf(usage);
    const produced = this.producedTokens(seen);
    const hidden = Math.max(0, Math.min(produced, Math.max(seen, maxOutputTokens)) - seen);
    return { ...metered, usage: { ...usage, outputTokens: usage.outputTokens + hidden }, estimated: true };
  }

  /** What the provider has probably written by now. */
  producedTokens(seenTokens: number): number {
    const elapsedMs = this.#times.sinceRouteMs;
    if (this.#model === null || elapsedMs === null) return seenTokens;
    const cut = { model: this.#model, visibleTokens: seenTokens, elapsedMs };
    return this.#context.rates.estimateTokens(this.#context.key.accountId, cut);
  }

  /** The caller has left: however the answer ends, it is recorded as not delivered. */
  noteGone(): void {
    this.#isGone = true;
  }

  /** True once what has been metered costs as much as is held. */
  exceedsHold(usage: TokenUsage): boolean {
    const granted = this.#grantedNanoUsd;
    // A mismatch charges the whole hold; the usage itself says whether it is used up.
    return granted !== null && (this.#billOf(usage, false)?.costNanoUsd ?? 0n) >= granted;
  }

  /** The request goes to a provider now. */
  noteRoute(route: Route, price: Price): void {
    this.#route = route;
    this.#price = price;
    this.served.reset();
    this.#times.noteRoute();
  }

  /** How long it took until the connection to the provider was there. */
  noteConnected(connectMs: number | null): void {
    this.#times.connectMs = connectMs;
  }

  /** No provider answers: the gateway does so by itself. */
  noteNoRoute(): void {
    this.#route = null;
  }

  /** The provider gave no answer, or no whole one. */
  noteFailure(
    attempt: { route: Route; startedAtMs: number },
    failure: Pick<AttemptRecord, 'outcome' | 'status'>,
  ): void {
    this.#failures ??= [];
    this.#failures.push(attemptRecord(attempt.route, attempt.startedAtMs, failure));
  }

  /** The first byte of the answer has come from the provider. */
  noteFirstByte(): void {
    this.#times.noteFirstByte();
  }

  /** null: no provider was asked. */
  #billOf(usage: TokenUsage, chargesMismatch = true): Bill | null {
    const { verdict } = this.served;
    const price = verdict.price ?? this.#price;
    if (price === null) return null;
    const { key, catalogue, exchange } = this.#context;
    const { startedAtMs } = exchange;
    const asked = { route: this.#route, askedPrice: this.#price ?? price, pricePpm: key.plan.pricePpm };
    const bill = this.served.bill(usage, { ...asked, price, catalogue: catalogue.current, startedAtMs });
    // What was used has no known price: it is charged at the most that the request may cost.
    const isUnknown = joinMismatch(verdict.mismatch, bill.missing) !== null && bill.costNanoUsd !== 0n;
    const granted = chargesMismatch && isUnknown ? this.#grantedNanoUsd : null;
    return granted === null ? bill : { ...bill, costNanoUsd: granted };
  }

  /** The caller left before its answer was complete. */
  settleGone(metered: Partial<Metered>): void {
    this.noteGone();
    this.settle({ status: CLIENT_GONE_STATUS, errorCode: 'client_gone', ...metered });
  }

  /** Only what the provider reported says how fast it is. */
  #noteRate(model: string, usage: TokenUsage, { estimated = false, visibleTokens = 0 }: Outcome): void {
    const durationMs = this.#times.sinceRouteMs;
    if (estimated || durationMs === null) return;
    const sample = { model, outputTokens: outputTokensOf(usage), visibleTokens, durationMs };
    this.#context.rates.note(this.#context.key.accountId, sample);
  }

  /**
   * The request is over; does nothing if it was already.
   * @param answer sends the last bytes, after the journal has the settlement: see `Ledger.whenKept`. It is given what the caller
   * is billed, in nano-dollars, at most the hold; 0n if it was settled before
   */
  settle(ended: Outcome, answer?: (costNanoUsd: NanoUsd) => void): void {
    const costNanoUsd = this.#isSettled ? 0n : this.#settle(ended);
    if (answer !== undefined) this.whenKept(() => answer(costNanoUsd));
  }

  #settle(ended: Outcome): NanoUsd {
    this.#isSettled = true;
    this.#body?.release();
    const { ledger, limits, expected } = this.#context;
    const usage = ended.usage ?? NO_USAGE;
    this.#times.endHoldWait();
    if (this.#ticket !== null) limits.trueUp(this.#ticket, totalTokens(usage));
    // What broke off says nothing about how long answers are.
    if (this.#model !== null && ended.errorCode === null && usage.outputTokens > 0) {
      expected.note(this.#model, usage.outputTokens);
      this.#noteRate(this.#model, usage, ended);
    }
    this.#kept = ledger.settle(this.#record(ended, usage), this.#hold?.pending ?? null, this.#kept);
    return capAt(this.#kept.costNanoUsd, this.#grantedNanoUsd);
  }

  /** Calls back after the journal has its last checkpoint or settlement: see `Ledger.whenKept`. */
  whenKept(callback: () => void): void {
    if (this.#kept === null) callback();
    else this.#context.ledger.whenKept(this.#kept, callback);
  }

  /** True if the progress of the request was kept long enough ago. */
  isCheckpointDue(nowMs: number): boolean {
    return !this.#isSettled && nowMs - this.#checkpointAtMs >= CHECKPOINT_EVERY_MS;
  }

  /** Keeps what is known of an answer under way: it is billed if this process dies. Nothing is settled by it. */
  checkpointLost(usage: TokenUsage): void {
    this.checkpoint({ status: CLIENT_GONE_STATUS, errorCode: 'replica_lost', usage, estimated: true });
  }

  /** Keeps how the request ends: it is billed like this if this process dies before it is settled. */
  checkpoint(outcome: Outcome): void {
    if (this.#isSettled) return;
    this.#checkpointAtMs = Date.now();
    const record = this.#record(outcome, outcome.usage ?? NO_USAGE);
    this.#kept = this.#context.ledger.checkpoint(record, this.#hold?.pending ?? null, this.#kept);
  }

  #record(ended: Outcome, usage: TokenUsage): Parameters<Ledger['settle']>[0] {
    const { exchange, key, endpoint } = this.#context;
    const outcome = this.#isGone ? { ...ended, status: CLIENT_GONE_STATUS, errorCode: 'client_gone' } : ended;
    const bill = this.#billOf(usage);
    const billed = bill?.usage ?? usage;
    return {
      id: exchange.requestId,
      startedAtMs: exchange.startedAtMs,
      accountId: key.accountId,
      keyId: key.id,
      endpoint,
      model: this.#model,
      provider: this.#route?.provider.name ?? null,
      upstreamModel: this.#route?.upstreamModel ?? null,
      routeId: this.#route?.id ?? null,
      attempts: listAttempts(this.#failures, this.#route, {
        ...outcome,
        startedAtMs: this.#times.routeStartedAtMs,
      }),
      streamed: this.#streamed,
      status: outcome.status,
      errorCode: outcome.errorCode,
      inputTokens: billed.inputTokens,
      cacheReadTokens: billed.cacheReadTokens,
      cacheWriteTokens: billed.cacheWriteTokens,
      cacheWrite1hTokens: billed.cacheWrite1hTokens,
      outputTokens: billed.outputTokens,
      extras: billed.extras,
      billedTerms: bill?.terms ?? null,
      estimated: outcome.estimated ?? false,
      rawUsage: outcome.rawUsage ?? null,
      reportedCostNanoUsd: outcome.reportedCostNanoUsd ?? null,
      priceId: (this.served.verdict.price ?? this.#price)?.id ?? null,
      servedTerms: this.served.notable,
      priceMismatch: joinMismatch(this.served.verdict.mismatch, bill?.missing),
      pricePpm: key.plan.pricePpm,
      costNanoUsd: bill?.costNanoUsd ?? 0n,
      operatorCostNanoUsd: this.#operatorCostNanoUsd,
      latencyMs: this.#times.elapsedMs,
      firstByteMs: this.#times.firstByteMs,
      queueMs: this.#times.queueMs,
      holdMs: this.#hold === null ? null : this.#times.holdMs,
      connectMs: this.#times.connectMs,
    };
  }
}
