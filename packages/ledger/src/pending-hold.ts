import type { HoldRequest, HoldVerdict } from '@tollgate/core/ledger';

/** How a hold ended. `unavailable`: nobody knows; it may be held. `unstorable`: the request itself cannot be stored. */
export type HoldOutcome = HoldVerdict | { ok: false; reason: 'unavailable' | 'unstorable' };

/** A hold that was asked for. */
export interface PendingHold {
  readonly request: HoldRequest;
  state: 'waiting' | 'sent' | 'done' | 'cancelled';
  onOutcome: (outcome: HoldOutcome) => void;
}
