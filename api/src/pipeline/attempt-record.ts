import type { AttemptRecord } from '@tollgate/core/ledger';
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
