import { NO_USAGE, type NanoUsd, type TokenUsage } from '@tollgate/core/money/money';
import type { RequestRecord } from '@tollgate/core/money/ledger';
import { splitAtHold } from '@tollgate/core/money/rates/compute-cost';
import { describeClient } from '@tollgate/core/requests/client-family';
import { boundName } from '@tollgate/core/requests/storable-name';
import type { ServedTerms } from '@tollgate/core/money/rates/rate-need';
import type { ReasoningSetting } from '@tollgate/dialects/reasoning-setting';
import type { Ledger } from '@tollgate/ledger/ledger';
import type { Price } from '../catalogue/catalogue.ts';
import type { Route } from '../catalogue/route.ts';
import type { BodyReservation } from '../request-body/body-budget.ts';
import { addCertainCalls } from './certain-calls.ts';
import type { ChosenRoutes } from './choose-routes.ts';
import { LikelyOutput } from './likely-output.ts';
import { logFailed } from './log-failed.ts';
import { LimitedTokens } from './limited-tokens.ts';
import type { Metered } from './metered.ts';
import type { Outcome } from './outcome.ts';
import { AttemptRecords, listAttempts } from './attempt-record.ts';
import { getUnbilledCost, type Bill } from './bill-usage.ts';
import { getPricePpm, isOwn } from './request-price.ts';
import { RequestTimes } from './request-times.ts';
import { ProviderRequest } from './provider-request.ts';
import type { RouteWatch } from './route-watch.ts';
import { ServedWatch } from './served-watch.ts';
import { chargeMismatch, CHECKPOINT_EVERY_MS, CLIENT_GONE, joinMismatch } from './settlement-values.ts';
import type { RequestHold } from './request-hold.ts';
import type { SettlementContext } from './settlement-context.ts';

/** Collects the facts of a request and records them exactly once, at its end. */
export class Settlement {
  readonly #context: SettlementContext;
  #price: Price | null = null;
  #route: Route | null = null;
  #model: string | null = null;
  #requestedModel: string | null = null;
  readonly #times: RequestTimes;
  #attempts: AttemptRecords | null = null;
  readonly #provider = new ProviderRequest();
  /** The memory of its body, released at settlement. */
  body: BodyReservation | null = null;
  /** Its hold, released at settlement whatever the outcome. */
  hold: RequestHold | null = null;
  #grantedNanoUsd: NanoUsd | null = null;
  #operatorCostNanoUsd = 0n;
  readonly limited = new LimitedTokens();
  /** The order of its routes; null: not known yet. */
  chosen: Pick<ChosenRoutes, 'choice' | 'sessionHash'> | null = null;
  /** The name of its session; null: none. */
  session: string | null = null;
  /** Called when its hold is granted. */
  onGranted: (() => void) | null = null;
  /** Learns about the routes of the request; null: their strategy needs nothing. */
  watch: RouteWatch | null = null;
  readonly served = new ServedWatch();
  readonly output: LikelyOutput;
  #isSettled = false;
  #kept: RequestRecord | null = null;
  #checkpointAtMs: number;
  /** How the response to the caller ended, if the provider's is read on; null: together with it. */
  #cutShort: Pick<Outcome, 'status' | 'errorCode' | 'error'> | null = null;

  constructor(context: SettlementContext) {
    this.#context = context;
    this.#times = new RequestTimes(context.exchange.startedAtMs);
    this.output = new LikelyOutput(context, this.#times);
    this.#checkpointAtMs = context.exchange.startedAtMs;
  }

  noteRequest(model: string, streamed: boolean): void {
    this.noteModel(model);
    this.output.isStreamed = streamed;
  }

  /** The requested model is tried, or a fallback model. */
  noteModel(model: string): void {
    this.#model = boundName(model);
    this.#requestedModel ??= this.#model;
    this.output.model = this.#model;
  }

  /** Records the terms reported by the provider; null: none yet. */
  noteServed(terms: ServedTerms | null): void {
    if (terms === null || terms === this.served.terms || this.#route === null || this.#price === null) return;
    const { catalogue, exchange } = this.#context;
    const asked = { route: this.#route, price: this.#price, startedAtMs: exchange.startedAtMs };
    this.served.note(terms, { ...asked, catalogue: catalogue.current });
  }

  /** Its body, key, model and limits have been checked. */
  noteAdmitted(): void {
    this.#times.noteAdmitted();
  }

  /** Starts measuring the time that it waits only for its hold. */
  noteHoldWait(): void {
    this.#times.startHoldWait();
  }

  noteGranted(grantedNanoUsd: NanoUsd): void {
    this.#times.endHoldWait();
    this.#grantedNanoUsd = grantedNanoUsd;
    this.onGranted?.();
  }

  /** Adds unbilled cost: usage that the provider may bill and no caller pays for. */
  noteUnbilled(usage: TokenUsage, price: Price): void {
    if (!isOwn(this.#route)) this.#operatorCostNanoUsd += getUnbilledCost(usage, price, this.served.needs);
  }

  /** The caller has disconnected: the response is recorded as not delivered, however it ends. */
  noteGone(): void {
    this.noteCutShort(CLIENT_GONE);
  }

  /** The response to the caller has ended before the provider's, which does not change how it is recorded. */
  noteCutShort(ended: Pick<Outcome, 'status' | 'errorCode' | 'error'>): void {
    this.#cutShort ??= ended;
  }

  /** False: its hold is not granted yet. */
  get isCovered(): boolean {
    return this.hold === null || this.#grantedNanoUsd !== null;
  }

  /** True once the metered usage costs as much as is held. */
  exceedsHold(usage: TokenUsage): boolean {
    const granted = this.#grantedNanoUsd;
    // A mismatch charges the whole hold; here only the usage itself decides.
    return granted !== null && (this.#getBill(usage, false)?.costNanoUsd ?? 0n) >= granted;
  }

  /** The route of the next attempt, which may have to wait before it is sent. */
  noteRoute(route: Route, price: Price, isContinued = false): void {
    this.#route = route;
    this.#price = price;
    this.served.reset();
    this.#times.noteRoute(isContinued);
  }

  /** The request is sent to the provider of its route. @param atMs Unix milliseconds */
  noteSent(atMs: number, reasoning: ReasoningSetting | null): void {
    this.output.setting = reasoning;
    this.#times.sentAtMs = atMs;
  }

  /** The provider has sent the headers of a response. */
  noteHeaders(attempt: { route: Route }, header: (name: string) => string | null): void {
    this.#provider.note(attempt, header);
    this.watch?.noteHeaders(attempt.route, header);
  }

  /** Records the connect time; null: not connected. */
  noteConnected(connectMs: number | null): void {
    this.#times.connectMs = connectMs;
  }

  /** No provider answers: the gateway uses its local fallback. */
  noteNoRoute(): void {
    this.#route = null;
    this.#attempts?.noteLocalAnswer();
  }

  /** Its failed attempts; most requests have none. */
  get attempts(): AttemptRecords {
    return (this.#attempts ??= new AttemptRecords(this.#provider));
  }

  /** The first text of a stream has arrived from the provider. */
  noteFirstText(): void {
    if (this.#times.silentMs === null) this.watch?.noteFirstContent(this.#route, this.#times.attemptMs);
    this.#times.noteFirstText();
  }

  /** The first byte of the response has arrived from the provider. */
  noteFirstByte(): void {
    this.#times.noteFirstByte();
  }

  /** null: no provider was called. */
  #getBill(usage: TokenUsage, chargesMismatch = true): Bill | null {
    const { verdict } = this.served;
    const price = verdict.price ?? this.#price;
    if (price === null) return null;
    const { key, catalogue, exchange } = this.#context;
    const { startedAtMs } = exchange;
    const pricePpm = getPricePpm(key.plan, this.#route);
    const asked = { route: this.#route, askedPrice: this.#price ?? price, pricePpm };
    const bill = this.served.bill(usage, { ...asked, price, catalogue: catalogue.current, startedAtMs });
    if (!chargesMismatch || isOwn(this.#route)) return bill;
    return chargeMismatch(bill, verdict.mismatch, this.#grantedNanoUsd);
  }

  /** The caller's response has ended early: it disconnected, unless something else was noted before. */
  settleDisconnected(metered: Partial<Metered>): void {
    this.noteGone();
    this.settle({ ...CLIENT_GONE, ...metered });
  }

  /**
   * Records the end of the request; does nothing if it is settled already.
   * @param answer sends the last bytes, after `Ledger.whenKept`; gets the billed nano-dollars, 0n if it was settled before
   */
  settle(ended: Outcome, answer?: (costNanoUsd: NanoUsd) => void): void {
    const costNanoUsd = this.#isSettled ? 0n : this.#settle(ended);
    if (answer !== undefined) this.whenKept(() => answer(costNanoUsd));
  }

  #settle(ended: Outcome): NanoUsd {
    this.#isSettled = true;
    this.body?.release();
    const { ledger, log } = this.#context;
    const usage = ended.usage ?? NO_USAGE;
    this.#times.endHoldWait();
    this.watch?.noteEnd(this.#route, this.#times.attemptMs, { usage, errorCode: ended.errorCode });
    this.limited.settle(this.#context, { usage, route: this.#route, errorCode: ended.errorCode });
    this.output.noteEnd(usage, ended);
    const record = this.#record(ended, usage);
    if (record.errorCode !== null) logFailed(log, record);
    this.#kept = ledger.settle(record, this.hold?.pending ?? null, this.#kept);
    return splitAtHold(this.#kept.costNanoUsd, this.#grantedNanoUsd).billedNanoUsd;
  }

  /** Calls back after the journal has its last checkpoint or settlement: see `Ledger.whenKept`. */
  whenKept(callback: () => void): void {
    if (this.#kept === null) callback();
    else this.#context.ledger.whenKept(this.#kept, callback);
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** True if its last checkpoint is old enough. */
  isCheckpointDue(nowMs: number): boolean {
    return !this.#isSettled && nowMs - this.#checkpointAtMs >= CHECKPOINT_EVERY_MS;
  }

  /** Checkpoints how the request ends: it is billed like this if this process dies before it is settled. Settles nothing. */
  checkpoint(outcome: Outcome): void {
    if (this.#isSettled) return;
    this.#checkpointAtMs = Date.now();
    const record = this.#record(outcome, outcome.usage ?? NO_USAGE);
    this.#kept = this.#context.ledger.checkpoint(record, this.hold?.pending ?? null, this.#kept);
  }

  #record(ended: Outcome, usage: TokenUsage): Parameters<Ledger['settle']>[0] {
    const { exchange, key, endpoint } = this.#context;
    const outcome = this.#cutShort === null ? ended : { ...ended, error: null, ...this.#cutShort };
    const bill = this.#getBill(addCertainCalls(usage, this.served.needs, outcome.rawUsage ?? null));
    const billed = bill?.usage ?? usage;
    const [startedAtMs, requestId] = [this.#times.sentAtMs, this.#provider.id];
    return {
      id: exchange.requestId,
      startedAtMs: exchange.startedAtMs,
      accountId: key.accountId,
      keyId: key.id,
      endpoint,
      model: this.#model,
      provider: this.#route?.provider.name ?? null,
      upstreamModel: this.#route?.upstreamModel ?? null,
      routeId: this.#route?.routeId ?? null,
      attempts: listAttempts(this.#attempts, this.#route, { ...outcome, startedAtMs, requestId }),
      streamed: this.output.isStreamed,
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
      priceMismatch: isOwn(this.#route) ? null : joinMismatch(this.served.verdict.mismatch, bill?.missing),
      pricePpm: getPricePpm(key.plan, this.#route),
      costNanoUsd: bill?.costNanoUsd ?? 0n,
      operatorCostNanoUsd: this.#operatorCostNanoUsd,
      latencyMs: this.#times.elapsedMs,
      firstByteMs: this.#times.firstByteMs,
      queueMs: this.#times.queueMs,
      holdMs: this.hold === null ? null : this.#times.holdMs,
      connectMs: this.#times.connectMs,
      client: describeClient(exchange.header('user-agent')),
      sessionHash: this.chosen?.sessionHash ?? null,
      routeChoice: this.chosen?.choice ?? null,
      requestedModel: this.#requestedModel === this.#model ? null : this.#requestedModel,
      ownCredential: isOwn(this.#route),
      errorMessage: outcome.error?.message ?? null,
      errorParam: outcome.error?.param ?? null,
      session: this.session,
      providerRequestId: requestId,
    };
  }
}
