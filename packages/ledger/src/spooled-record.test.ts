import { encodeAsObject, requestRecord } from '@tollgate/testing/ledger-records';
import { expect, it } from 'vitest';
import { decodeRecord, encodeRecord } from './spooled-record.ts';

const OWNER = { accountId: 'acct_a', keyId: 'key_a' };

it('reads every member back as it was written', () => {
  const record = requestRecord(OWNER, {
    attempts: [
      { route: 'rt_a', provider: 'p', upstreamModel: 'm', outcome: 'timeout', status: null, durationMs: 9 },
    ],
    errorCode: 'upstream_error',
    cacheReadTokens: 2,
    cacheWriteTokens: 3,
    cacheWrite1hTokens: 4,
    estimated: true,
    costNanoUsd: 9_007_199_254_740_993n,
    operatorCostNanoUsd: 7n,
    firstByteMs: 1,
    queueMs: 2,
    holdMs: 3,
    connectMs: 4,
    isHeld: true,
    recovered: true,
    rawUsage: '{"prompt_tokens":1}',
    reportedCostNanoUsd: 8n,
    priceMismatch: 'model',
  });
  expect(decodeRecord(encodeRecord(record))).toEqual(record);
});

it('reads lines of releases that wrote an object with names', () => {
  const record = requestRecord(OWNER, { operatorCostNanoUsd: 7n });
  expect(decodeRecord(encodeAsObject(record))).toEqual(record);
});

it.each(['', '[]', '[1,2]', '{"id":"req_a"}', 'null', '"text"', '['])(
  'takes %j for no settlement',
  (line) => {
    expect(decodeRecord(line)).toBeNull();
  },
);
