/** What a process asks the coordinator. `id` is that of the place in its process. */
export type PlaceCall =
  /** @param accountId null: for a call of no account */
  | { id: number; call: 'take'; providerId: string; max: number; accountId: string | null }
  /** Also of a place that was not granted yet. */
  | { id: number; call: 'release' }
  /** The place may be recalled when another call needs it. */
  | { id: number; call: 'offer' };

export type TakeCall = Extract<PlaceCall, { call: 'take' }>;

/** recalled: another call waits for this place, which was offered. */
export interface PlaceReply {
  id: number;
  reply: 'granted' | 'refused' | 'recalled';
}
