import type { LimitDecision, LimitOwners, OwnerStates, TakeRequest } from '../limit-store.ts';

/** What a process asks the coordinator. `id` is that of the call, or of the `take` that it corrects. */
export type LimitCall =
  | { id: number; call: 'take'; request: TakeRequest }
  | { id: number; call: 'peek'; owners: LimitOwners }
  | { id: number; call: 'settle'; tokens: number }
  /** The caller did not wait for the answer of the `take`. */
  | { id: number; call: 'cancel' };

type Refusal = Extract<LimitDecision, { ok: false }>;
/** The ticket stays with the coordinator. */
type Answer = { ok: true; state: OwnerStates } | Refusal;

export type LimitReply = { id: number; decision: Answer } | { id: number; states: OwnerStates };
