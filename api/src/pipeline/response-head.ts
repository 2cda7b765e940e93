import type { AttemptVerdict } from '@tollgate/upstreams/routing/retry-policy';
import type { AttemptEvents } from './attempt-events.ts';
import { failureOfRefusal, type AttemptFailure } from './attempt-failure.ts';
import type { ResponseHead } from './relay.ts';
import type { Settlement } from './settlement.ts';

/** A provider's response to an attempt. */
export interface Responded<Attempt> extends Pick<ResponseHead, 'status' | 'header'> {
  attempt: Attempt;
  owner: Pick<AttemptEvents<Attempt>, 'passOver' | 'getOtherWaitMs'>;
  verdict: AttemptVerdict;
}

/**
 * The status and headers of a response, with what its relay may do about a refusal.
 * @param failure of a refusal whose body says whether it is about the credential of the route; null: none
 */
export function createHead<Attempt extends object>(
  { attempt, owner, status, header, verdict }: Responded<Attempt>,
  settlement: Settlement,
  failure: AttemptFailure | null,
): ResponseHead {
  const otherWaitMs = verdict === 'retryable' ? owner.getOtherWaitMs(attempt) : null;
  if (status < 400) return { status, header, otherWaitMs };
  return {
    status,
    header,
    otherWaitMs,
    passOver: (cause) => owner.passOver(attempt, failureOfRefusal(status, cause)),
    ...(failure !== null && { passRead: () => owner.passOver(attempt, failure) }),
    noteSaid: (said) => settlement.attempts.noteSaid(attempt, said),
  };
}
