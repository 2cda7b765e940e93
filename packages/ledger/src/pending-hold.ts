import type { HoldRequest, HoldVerdict } from '@tollgate/core/money/ledger';
import type { LedgerLog } from './ledger-store.ts';

/** How a hold ended. `unavailable`: nobody knows; it may be held. `unstorable`: the request itself cannot be stored. */
export type HoldOutcome = HoldVerdict | { ok: false; reason: 'unavailable' | 'unstorable' };

/** A hold that was asked for. */
export interface PendingHold {
  readonly request: HoldRequest;
  state: 'waiting' | 'sent' | 'done' | 'cancelled';
  onOutcome: (outcome: HoldOutcome) => void;
}

/** Reports an outcome, once. A caller that throws takes nothing from the others of its batch. */
export function finishHold(log: LedgerLog, hold: PendingHold, outcome: HoldOutcome): void {
  if (hold.state === 'done' || hold.state === 'cancelled') return;
  hold.state = 'done';
  try {
    hold.onOutcome(outcome);
  } catch (error) {
    log.error({ err: error, id: hold.request.id }, 'the outcome of a hold could not be told');
  }
}
