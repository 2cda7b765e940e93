import type { AttemptNext, AttemptRecord, AttemptStop } from '@tollgate/core/money/ledger';
import type { GatewayError } from '@tollgate/core/errors/errors';
import { boundMessage, boundName } from '@tollgate/core/requests/storable-name';
import type { Route } from '../catalogue/route.ts';
import { ProviderRequest } from './provider-request.ts';
import type { ProviderSaid } from './provider-said.ts';
import { storableText, type SentText } from './stored-text.ts';

/** A shorter wait is the gateway's own work between two attempts. */
const MIN_WAIT_MS = 5;

/** When an attempt started, and when the one before ended; 0: there was none. */
interface AttemptStart {
  startedAtMs: number;
  previousEndMs: number;
}

/** The record of an attempt that ends now. */
function attemptRecord(
  route: Route,
  { startedAtMs, previousEndMs }: AttemptStart,
  ended: Pick<AttemptRecord, 'outcome' | 'status'> & { model: string | null; requestId: string | null },
): AttemptRecord {
  const { outcome, status, model, requestId } = ended;
  const waitMs = previousEndMs === 0 ? 0 : startedAtMs - previousEndMs;
  return {
    ...(model !== null && { model }),
    route: route.routeId,
    provider: route.provider.name,
    upstreamModel: route.upstreamModel,
    outcome,
    status,
    durationMs: Date.now() - startedAtMs,
    ...(requestId !== null && { requestId }),
    ...(waitMs >= MIN_WAIT_MS && { waitMs }),
    ...(route.isOwn && { own: true }),
    ...(route.isOneOfSeveral && route.credential !== null && { credential: route.credential.label }),
  };
}

/** Adds what the provider said. */
function withSaid(
  record: AttemptRecord,
  { status, type, message, refusal, detail }: ProviderSaid,
): AttemptRecord {
  return {
    ...record,
    status: record.status ?? status,
    ...(type !== null && { errorType: boundName(type) }),
    ...(message !== null && { errorMessage: boundMessage(message) }),
    ...(refusal !== null && { message: boundMessage(refusal) }),
    ...(detail !== null && { detail: boundMessage(detail) }),
  };
}

/** The parts of an `AttemptFailure` that are recorded. */
interface Failure extends Pick<AttemptRecord, 'outcome' | 'status'> {
  error?: GatewayError;
  detail?: string;
}

/** The text of a failure that no error response describes. */
function describeFailure({ error, detail }: Failure, sent: SentText): Partial<AttemptRecord> {
  if (detail !== undefined && detail !== '') return { detail: boundMessage(detail) };
  if (error?.isProviders !== true) return {};
  const message = storableText(error.message, sent);
  return {
    ...(error.providerCode !== undefined && { errorType: boundName(error.providerCode) }),
    ...(message !== null && { errorMessage: boundMessage(message) }),
  };
}

/** A failed attempt; `of` identifies it. */
interface Failed {
  of: object;
  record: AttemptRecord;
}

/** The attempts of a request that did not end with the first one, or whose provider has several credentials. */
export class AttemptRecords {
  readonly #provider: Pick<ProviderRequest, 'idOf'>;
  readonly #failures: Failed[] = [];
  #refusal: string | null = null;
  /** What the provider said in an attempt whose failure is not recorded yet. */
  #said: { of: object; said: ProviderSaid } | null = null;
  /** When the last failure was noted, in Unix milliseconds; 0: none. */
  #failedAtMs = 0;
  /** The model that is tried. */
  model: string | null = null;
  /** True: the provider rejected the request itself with a status that is usually about the operator's account. */
  isRejected = false;
  /** True: the last attempt continued the stream of another one. */
  isContinued = false;

  constructor(provider: Pick<ProviderRequest, 'idOf'> = new ProviderRequest()) {
    this.#provider = provider;
  }

  /** What the provider of the running attempt says about the operator's account, until the attempt is recorded. */
  get refusal(): string | null {
    return this.#refusal;
  }

  /** @param message redacted */
  noteRefusal(message: string): void {
    this.#refusal = boundMessage(message);
  }

  /** The provider has sent an error, before or after the failure of the attempt is recorded. */
  noteSaid(attempt: object, said: ProviderSaid): void {
    const failed = this.#failures.find(({ of }) => of === attempt);
    if (failed === undefined) this.#said = { of: attempt, said };
    else failed.record = withSaid(failed.record, said);
  }

  noteFailure(attempt: { route: Route; startedAtMs: number }, failure: Failure, sent: SentText): void {
    const { outcome, status } = failure;
    const { route, startedAtMs } = attempt;
    const start = { startedAtMs, previousEndMs: this.#failedAtMs };
    const requestId = this.#provider.idOf(attempt);
    const plain = {
      ...attemptRecord(route, start, { outcome, status, model: this.model, requestId }),
      ...describeFailure(failure, sent),
    };
    const said = this.#said?.of === attempt ? this.#said.said : null;
    this.#said = null;
    const record = said === null ? plain : withSaid(plain, said);
    this.#failedAtMs = Date.now();
    this.#failures.push({ of: attempt, record: this.#withRefusal(record) });
    this.#refusal = null;
  }

  /** Records what followed the failure of an attempt. @param why absent: something followed */
  decide(attempt: object, next: AttemptNext, why?: AttemptStop): void {
    const failed = this.#failures.find(({ of }) => of === attempt);
    if (failed === undefined) return;
    const { why: _, ...record } = failed.record;
    failed.record = { ...record, next, ...(why !== undefined && { why }) };
  }

  /** The gateway answers after the last failure. */
  noteLocalAnswer(): void {
    const last = this.#failures.at(-1);
    if (last !== undefined) this.decide(last.of, 'local_answer');
  }

  /**
   * Every attempt, in order.
   * @param route the route that gave the response; null: none did
   * @returns null if the first attempt gave the response: the record itself has all details but the credential
   */
  list(
    route: Route | null,
    ended: { errorCode: string | null; status: number; startedAtMs: number; requestId: string | null },
  ): readonly AttemptRecord[] | null {
    const { errorCode, status, startedAtMs, requestId } = ended;
    const failures = this.#failures.map(({ record }) => record);
    const last = failures.at(-1);
    if (last === undefined && route?.isOneOfSeveral !== true && this.#said === null) return null;
    const start = { startedAtMs, previousEndMs: this.#failedAtMs };
    const said = this.#said?.said ?? null;
    if (said !== null && route !== null) {
      const end = { outcome: `status_${said.status}`, status: said.status, model: this.model, requestId };
      const refused = withSaid(attemptRecord(route, start, end), said);
      return [...failures, { ...refused, next: 'none', why: 'request_refused' }];
    }
    // The body of a refusal is read after its status has been recorded.
    if (last !== undefined && this.#refusal !== null)
      return [...failures.slice(0, -1), this.#withRefusal(last)];
    if (errorCode !== null || route === null) return last === undefined ? null : failures;
    const outcome = this.isContinued ? 'continued' : 'answered';
    return [...failures, attemptRecord(route, start, { outcome, status, model: this.model, requestId })];
  }

  #withRefusal(record: AttemptRecord): AttemptRecord {
    return this.#refusal === null ? record : { ...record, message: this.#refusal };
  }
}

/**
 * The attempts of a request, of which most have none: see {@link AttemptRecords.list}.
 * @param records null: no attempt failed
 */
export function listAttempts(
  records: AttemptRecords | null,
  route: Route | null,
  ended: Parameters<AttemptRecords['list']>[1],
): readonly AttemptRecord[] | null {
  const all = records ?? (route?.isOneOfSeveral === true ? new AttemptRecords() : null);
  return all?.list(route, ended) ?? null;
}
