import type { PastRequest } from '@tollgate/db/queries/usage/past-usage';
import { requestRecord, type RecordOwner } from '@tollgate/testing/ledger-records';

/** A successful request in the past. */
export function pastRequest(
  owner: RecordOwner,
  { at, costNanoUsd, chargesBalance }: { at: Date; costNanoUsd: bigint; chargesBalance: boolean },
): PastRequest {
  const {
    startedAtMs,
    isHeld: _,
    ...record
  } = requestRecord(owner, {
    startedAtMs: at.getTime(),
    model: 'gpt-5-mini',
    costNanoUsd,
  });
  return {
    ...record,
    startedAt: new Date(startedAtMs),
    state: 'settled',
    heldNanoUsd: costNanoUsd * 2n,
    chargesBalance,
    replicaId: null,
    rawUsage: null,
    usageExtras: null,
    billedTerms: null,
    servedTerms: null,
    reportedCostNanoUsd: null,
    priceMismatch: null,
    client: 'curl 8.5.0',
    sessionHash: null,
    routeChoice: null,
    requestedModel: null,
    ownCredential: false,
    errorMessage: null,
    errorParam: null,
    session: null,
    providerRequestId: null,
  };
}
