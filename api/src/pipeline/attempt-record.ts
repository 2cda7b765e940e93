import type { AttemptRecord } from '@tollgate/core/money/ledger';
import { boundMessage } from '@tollgate/core/requests/storable-name';
import type { Route } from '../catalogue/route.ts';

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
  { outcome, status, model }: Pick<AttemptRecord, 'outcome' | 'status'> & { model: string | null },
): AttemptRecord {
  const waitMs = previousEndMs === 0 ? 0 : startedAtMs - previousEndMs;
  return {
    ...(model !== null && { model }),
    route: route.routeId,
    provider: route.provider.name,
    upstreamModel: route.upstreamModel,
    outcome,
    status,
    durationMs: Date.now() - startedAtMs,
    ...(waitMs >= MIN_WAIT_MS && { waitMs }),
    ...(route.isOwn && { own: true }),
    ...(route.isOneOfSeveral && route.credential !== null && { credential: route.credential.label }),
  };
}

/** The attempts of a request that did not end with the first one, or whose provider has several credentials. */
export class AttemptRecords {
  readonly #failures: AttemptRecord[] = [];
  #refusal: string | null = null;
  /** When the last failure was noted, in Unix milliseconds; 0: none. */
  #failedAtMs = 0;
  /** The model that is tried. */
  model: string | null = null;
  /** True: the provider rejected the request itself with a status that is usually about the operator's account. */
  isRejected = false;
  /** True: the last attempt continued the stream of another one. */
  isContinued = false;

  /** What the provider of the running attempt says about the operator's account, until the attempt is recorded. */
  get refusal(): string | null {
    return this.#refusal;
  }

  /** @param message redacted */
  noteRefusal(message: string): void {
    this.#refusal = boundMessage(message);
  }

  noteFailure(
    { route, startedAtMs }: { route: Route; startedAtMs: number },
    failure: Pick<AttemptRecord, 'outcome' | 'status'>,
  ): void {
    const start = { startedAtMs, previousEndMs: this.#failedAtMs };
    const record = attemptRecord(route, start, { ...failure, model: this.model });
    this.#failedAtMs = Date.now();
    this.#failures.push(this.#refusal === null ? record : { ...record, message: this.#refusal });
    this.#refusal = null;
  }

  /**
   * Every attempt, in order.
   * @param route the route that gave the response; null: none did
   * @returns null if the first attempt gave the response: the record itself has all details but the credential
   */
  list(
    route: Route | null,
    { errorCode, status, startedAtMs }: { errorCode: string | null; status: number; startedAtMs: number },
  ): readonly AttemptRecord[] | null {
    const last = this.#failures.at(-1);
    if (last === undefined && route?.isOneOfSeveral !== true) return null;
    // The body of a refusal is read after its status has been recorded.
    if (this.#refusal !== null && last !== undefined)
      return [...this.#failures.slice(0, -1), { ...last, message: this.#refusal }];
    if (errorCode !== null || route === null) return last === undefined ? null : this.#failures;
    const outcome = this.isContinued ? 'continued' : 'answered';
    const start = { startedAtMs, previousEndMs: this.#failedAtMs };
    return [...this.#failures, attemptRecord(route, start, { outcome, status, model: this.model })];
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
