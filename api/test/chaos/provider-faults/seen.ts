/** One response as a careful client reads it. */
export interface Answer {
  outcome: 'response' | 'error' | 'hang';
  text: string;
  /** The event of the dialect that ends a complete stream has arrived. */
  hasTerminator: boolean;
  model: string | null;
  hasUsage: boolean;
  /** null: none. */
  error: string | null;
  elapsedMs: number;
}

/** All that a scenario showed at the caller and at the providers. */
export interface Seen {
  answer: Answer;
  /** The text is what the provider would have written. */
  isComplete: boolean;
  /** When the primary provider was called, in ms since the first call. */
  primaryMs: readonly number[];
  fallbackCalls: number;
  fallbackModel: string;
  /** Calls that ended with a message of the assistant and were refused for it. */
  prefillRefusals: number;
  /** A plain request to the same gateway succeeded afterwards. */
  isAliveAfter: boolean;
  /** null: a single request. */
  sequence: SequenceSeen | null;
}

export interface SequenceSeen {
  duringOutage: number;
  servedDuringOutage: number;
  /** From the end of the outage to the first response of the primary provider, in ms; null: none came. */
  recoveredAfterMs: number | null;
}
