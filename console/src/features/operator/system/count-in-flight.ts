import type { OperatorReplica } from '../operator-types.ts';

/** Requests in progress on all replicas that respond, with or without money on hold. */
export function countInFlight(replicas: readonly OperatorReplica[]): number {
  return replicas.reduce((sum, { report }) => sum + (report?.inFlight ?? 0), 0);
}
