import type { AttemptRecord } from '@tollgate/core/money/ledger';
import type { Route } from '../catalogue/route.ts';

/** The record of an attempt that ends now. */
export function attemptRecord(
  route: Route,
  startedAtMs: number,
  { outcome, status }: Pick<AttemptRecord, 'outcome' | 'status'>,
): AttemptRecord {
  return {
    route: route.id,
    provider: route.provider.name,
    upstreamModel: route.upstreamModel,
    outcome,
    status,
    durationMs: Date.now() - startedAtMs,
  };
}

/**
 * Every attempt of a request, in order.
 * @param route the route that gave the response; null: none did
 * @returns null if the first attempt gave the response: the record itself has all details
 */
export function listAttempts(
  failures: readonly AttemptRecord[] | null,
  route: Route | null,
  { errorCode, status, startedAtMs }: { errorCode: string | null; status: number; startedAtMs: number },
): readonly AttemptRecord[] | null {
  if (failures === null || errorCode !== null || route === null) return failures;
  return [...failures, attemptRecord(route, startedAtMs, { outcome: 'answered', status })];
}
