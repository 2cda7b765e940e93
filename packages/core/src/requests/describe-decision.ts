import type { AttemptNext, AttemptStop } from '../money/ledger.ts';

const NEXTS: Record<Exclude<AttemptNext, 'none'>, string> = {
  same_route: 'The gateway tried the same route again.',
  other_credential: 'The gateway tried another credential of the provider.',
  other_route: 'The gateway tried another route.',
  second_attempt: 'The gateway went on with the second attempt, which was running already.',
  fallback_model: 'The gateway tried a fallback model.',
  continuation: 'Another attempt continued the response.',
  local_answer: 'The gateway answered itself.',
};

const STOPS: Record<AttemptStop, string> = {
  request_refused:
    'Not retried: the error is about the request, which other providers would probably reject too.',
  same_everywhere: 'Not retried: no other route or fallback model may accept the request.',
  gateway_limit: 'Not retried: the response exceeds a limit of the gateway.',
  response_begun: 'Not retried: the caller had already received part of the response.',
  caller_gone: 'Not retried: the caller had disconnected.',
  max_attempts: 'Not retried: the maximum number of attempts was reached.',
  routes_unavailable: 'Not retried: all other routes were paused after failures, or busy.',
  no_other_route: 'Not retried: no other route was left.',
};

/** What the retry policy decided after a failed attempt, and why. @returns null if it is not recorded */
export function describeDecision(decision: {
  next: AttemptNext | null;
  why: AttemptStop | null;
}): string | null {
  const { next, why } = decision;
  if (next === null) return null;
  if (next !== 'none') return NEXTS[next];
  return why === null ? null : STOPS[why];
}
