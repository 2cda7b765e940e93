import { formatPlural } from '../../../lib/format/count.ts';
import { createZonedFormat } from '../../../lib/format/zoned-format.ts';
import { describeOutcome } from '@tollgate/core/requests/describe-outcome';
import type { Breaker } from './join-breakers.ts';

const clock = createZonedFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit' }, 'en-GB');

/** `since 12:03:10, for 1 account; retry in 8 s; HTTP 503, 5 failures in a row`. @param times of the report and now */
export function describeBreaker(breaker: Breaker, times: { reportedAtMs: number; nowMs: number }): string {
  const { state, forMs, retryInMs, failures, lastError, blockedAccounts } = breaker;
  const { reportedAtMs, nowMs } = times;
  const since = `since ${clock.format(reportedAtMs - forMs)}`;
  const why = `${describeOutcome(lastError)}, ${formatPlural(failures, 'failure')} in a row`;
  if (state === 'closed') return `${since}; ${why}`;
  const seconds = Math.ceil((retryInMs - Math.max(0, nowMs - reportedAtMs)) / 1000);
  const next = seconds > 0 ? `retry in ${seconds} s` : 'retries with the next request';
  const scope = blockedAccounts === null ? 'all accounts' : formatPlural(blockedAccounts, 'account');
  return `${since}, for ${scope}; ${next}; ${why}`;
}
