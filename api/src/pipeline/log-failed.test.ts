import { requestRecord } from '@tollgate/testing/ledger-records';
import { expect, it } from 'vitest';
import { BudgetPerSecond } from './budget-per-second.ts';
import { logFailed } from './log-failed.ts';

const OWNER = { accountId: 'acct_1', keyId: 'key_1' };

function getLine(rest: Parameters<typeof requestRecord>[1]): unknown {
  const lines: object[] = [];
  logFailed({ warn: (line) => lines.push(line) }, requestRecord(OWNER, rest));
  return lines[0];
}

it('describes a failed request as the drawer does', () => {
  const attempt = { route: 'route_1', provider: 'acme', upstreamModel: 'm-large', durationMs: 3 };
  const line = getLine({
    id: 'req_1',
    status: 503,
    errorCode: 'upstream_overloaded',
    errorMessage: 'Overloaded.',
    attempts: [
      {
        ...attempt,
        outcome: 'status_529',
        status: 529,
        errorType: 'overloaded_error',
        errorMessage: 'Overloaded',
        next: 'other_route',
      },
      {
        ...attempt,
        outcome: 'cut',
        status: null,
        detail: 'read ECONNRESET',
        next: 'none',
        why: 'max_attempts',
      },
    ],
  });
  expect(line).toMatchObject({
    requestId: 'req_1',
    code: 'upstream_overloaded',
    status: 503,
    message: 'Overloaded.',
    meaning: expect.stringContaining('provider') as string,
    attempts: [
      'acme m-large: HTTP 529. overloaded_error: Overloaded. The gateway tried another route.',
      'acme m-large: disconnected. read ECONNRESET. Not retried: the maximum number of attempts was reached.',
    ],
  });
});

it('logs no request that succeeded, that its caller left, or that broke a limit of its key', () => {
  expect(getLine({})).toBeUndefined();
  expect(getLine({ status: 499, errorCode: 'client_gone' })).toBeUndefined();
  expect(getLine({ status: 429, errorCode: 'rate_limit_requests', provider: null })).toBeUndefined();
});

it('logs a stream that failed after its begin, and a failure of the gateway itself', () => {
  expect(getLine({ status: 200, errorCode: 'upstream_error' })).toMatchObject({ code: 'upstream_error' });
  expect(getLine({ status: 503, errorCode: 'no_route', provider: null })).toMatchObject({ status: 503 });
});

it('logs a bounded number of lines in a second, and how many it left out', () => {
  let nowMs = 1_000;
  const budget = new BudgetPerSecond(2, () => nowMs);
  const lines: object[] = [];
  const fail = () =>
    logFailed(
      { warn: (line) => lines.push(line) },
      requestRecord(OWNER, { status: 503, errorCode: 'no_route' }),
      budget,
    );
  for (let failed = 0; failed < 5; failed += 1) fail();
  expect(lines).toHaveLength(2);
  nowMs = 2_000;
  fail();
  fail();
  expect(lines.slice(2)).toMatchObject([{ leftOut: 3 }, { leftOut: undefined }]);
});
