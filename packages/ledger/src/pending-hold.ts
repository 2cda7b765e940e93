import type { HoldRequest, HoldVerdict } from '@tollgate/core/money/ledger';
import type { LedgerLog } from './ledger-store.ts';

/** Outcome of a hold. `unavailable`: unknown, it may be held. `unstorable`: the request cannot be stored. */
export type HoldOutcome = HoldVerdict | { ok: false; reason: 'unavailable' | 'unstorable' };

/** A requested hold. */
export interface PendingHold {
  readonly request: HoldRequest;
  state: 'waiting' | 'sent' | 'done' | 'cancelled';
  onOutcome: (outcome: HoldOutcome) => void;
}

/** Reports an outcome once. An error in one callback does not affect others of the batch. */
export function finishHold(log: LedgerLog, hold: PendingHold, outcome: HoldOutcome): void {
  if (hold.state === 'done' || hold.state === 'cancelled') return;
  hold.state = 'done';
  try {
    hold.onOutcome(outcome);
  } catch (error) {
    log.error({ err: error, id: hold.request.id }, 'the result of a hold could not be delivered');
  }
}
