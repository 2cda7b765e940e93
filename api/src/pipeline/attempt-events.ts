import type { AttemptFailure } from './attempt-failure.ts';

/** Callbacks of the request that an attempt belongs to. */
export interface AttemptEvents<Attempt> {
  /** The provider has responded with headers that may name the limits of the credential. */
  noteLimits(attempt: Attempt, header: (name: string) => string | null): void;
  /** The provider has responded, but the gate is closed. */
  waitsAtGate(): void;
  /**
   * The provider has responded with an error.
   * @returns true if another route is tried and this attempt is over; false if the caller gets this error
   */
  passOver(attempt: Attempt, failure: AttemptFailure): boolean;
  /** The attempt ended without a response. */
  failed(attempt: Attempt, failure: AttemptFailure): void;
  /** Until a route other than the attempt's may answer, in ms; null: none can. */
  getOtherWaitMs(attempt: Attempt): number | null;
  /** The attempt is over and the request is settled. */
  answered(attempt: Attempt): void;
  /** Part of the response arrived after the caller's had ended. */
  drained(attempt: Attempt): void;
}
