import { ERROR_TABLE, getRetryAfterMs, type GatewayError } from '@tollgate/core/errors/errors';
import type { Route } from '../catalogue/route.ts';
import { hadNoPlace, type AttemptFailure } from './attempt-failure.ts';
import type { ExecuteContext } from './execute-context.ts';
import { tryForward } from './forwarded-request.ts';
import type { RoutePlan } from './route-plan.ts';

/**
 * When the routes of one request may answer it. The retry hint of its error considers all of them: the last route that was
 * tried may refuse for good while another one is only busy or paused.
 */
export class RetryOutlook {
  readonly #context: ExecuteContext;
  readonly #plan: RoutePlan;
  /** By route id; null: the route would refuse the request again. */
  readonly #waitsMs = new Map<string, number | null>();
  readonly #refusals: GatewayError[] = [];
  /** The error of the last attempt that was sent. */
  #lastError: GatewayError | null = null;

  constructor(context: ExecuteContext, plan: RoutePlan) {
    this.#context = context;
    this.#plan = plan;
  }

  /** The route could not be called. */
  noteRefused({ id }: Route, error: GatewayError): void {
    this.#refusals.push(error);
    this.#waitsMs.set(id, getRetryAfterMs(error));
  }

  noteFailed(route: Route, failure: AttemptFailure): void {
    const { error, callerWaitMs } = failure;
    if (hadNoPlace(failure)) return this.noteRefused(route, error);
    this.#lastError = error;
    this.#waitsMs.set(route.id, callerWaitMs === undefined ? getRetryAfterMs(error) : callerWaitMs);
  }

  /**
   * The error of a request that no route could be called for: the first that a retry may change, or else the first.
   * @returns null if no route supports the request
   */
  getRefusal(): GatewayError | null {
    const passing = this.#refusals.find((error) => getRetryAfterMs(error) !== null);
    if (passing === undefined) return this.#refusals[0] ?? null;
    return { ...passing, retryAfterMs: this.#getSoonestMs() };
  }

  /** The error of the last attempt, with the shortest wait of all routes. */
  hintAt({ route, hasBegun }: { route: Route; hasBegun: boolean }, failure: AttemptFailure): GatewayError {
    const { exceedsLimit = false } = failure;
    const error = hadNoPlace(failure) ? (this.#lastError ?? failure.error) : failure.error;
    // Errors below 500 are about the request itself, which no wait changes.
    if (hasBegun || exceedsLimit || ERROR_TABLE[error.code].status < 500) return error;
    for (const untried of this.#plan.untried) this.#noteUntried(untried);
    const otherMs = this.getOtherWaitMs(route);
    const ownMs = getRetryAfterMs(error);
    if (otherMs === null || (ownMs !== null && ownMs <= otherMs)) return error;
    return { ...error, retryAfterMs: otherMs };
  }

  /** Until another route that was tried may answer. @returns null if none can */
  getOtherWaitMs({ id }: Route): number | null {
    return this.#getSoonestMs(id);
  }

  #getSoonestMs(exceptId: string | null = null): number | null {
    const waits = [...this.#waitsMs].flatMap(([id, ms]) => (ms === null || id === exceptId ? [] : [ms]));
    return waits.length === 0 ? null : Math.min(...waits);
  }

  /** A cooling route comes last in this request, but not in the next one. A retry would not reach other untried routes. */
  #noteUntried(route: Route): void {
    const { upstreams, key } = this.#context;
    const waitMs = upstreams.cooldowns.getRemainingMs(route.id, key.accountId);
    if (waitMs === null || tryForward(this.#context, route)?.ok !== true) return;
    this.#waitsMs.set(route.id, waitMs);
  }
}
