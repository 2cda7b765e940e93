import type { RequestRecord } from '@tollgate/core/money/ledger';
import type { PendingHold } from './pending-hold.ts';

interface Batch {
  settlements: readonly RequestRecord[];
  holds: readonly PendingHold[];
}

/** Splits a rejected batch: settlements from holds if it has both, otherwise in the middle. */
export function halveBatch({ settlements, holds }: Batch): [Batch, Batch] {
  const isMixed = settlements.length > 0 && holds.length > 0;
  const settlementsAt = isMixed ? settlements.length : Math.ceil(settlements.length / 2);
  const holdsAt = isMixed ? 0 : Math.ceil(holds.length / 2);
  return [
    { settlements: settlements.slice(0, settlementsAt), holds: holds.slice(0, holdsAt) },
    { settlements: settlements.slice(settlementsAt), holds: holds.slice(holdsAt) },
  ];
}
