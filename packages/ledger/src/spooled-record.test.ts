import type { RequestRecord } from '@tollgate/core/money/ledger';
import { encodeAsObject, requestRecord } from '@tollgate/testing/ledger-records';
import { expect, it } from 'vitest';
import { decodeRecord, encodeRecord } from './spooled-record.ts';

const OWNER = { accountId: 'acct_a', keyId: 'key_a' };

it('reads every member back unchanged', () => {
  // Other members are tested in `storable-usage.test.ts`.
  const record: Required<Omit<RequestRecord, 'extras' | 'servedTerms' | 'billedTerms'>> = {
    ...requestRecord(OWNER),
    model: 'm-asked',
    provider: 'p-asked',
    session: 'refactor',
    providerRequestId: 'req_011',
    upstreamModel: 'm-served',
    routeId: 'rt_b',
    streamed: true,
    status: 201,
    inputTokens: 101,
    outputTokens: 102,
    priceId: 5,
    pricePpm: 6,
    latencyMs: 7,
    attempts: [
      { route: 'rt_a', provider: 'p', upstreamModel: 'm', outcome: 'timeout', status: null, durationMs: 9 },
      {
        route: 'rt_b',
        provider: 'p',
        upstreamModel: 'm',
        outcome: 'status',
        status: 402,
        durationMs: 9,
        credential: 'second',
        own: true,
        message: 'no credit',
        waitMs: 12,
        detail: 'read ECONNRESET',
        requestId: 'req_010',
        errorType: 'billing_error',
        errorMessage: 'pay first',
        next: 'none',
        why: 'max_attempts',
      },
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
    client: 'codex_exec 0.171.0',
    sessionHash: 9_007_199_254_740_991,
    routeChoice: 'weight',
    requestedModel: 'another-model',
    ownCredential: true,
    errorMessage: 'no provider answered',
    errorParam: 'model',
  };
  expect(decodeRecord(encodeRecord(record))).toEqual(record);
  for (const flag of ['streamed', 'estimated', 'isHeld', 'recovered'] as const) {
    const flags = { streamed: false, estimated: false, isHeld: false, recovered: false, [flag]: true };
    expect(decodeRecord(encodeRecord({ ...record, ...flags }))).toMatchObject(flags);
  }
});

it('reads lines of releases that wrote objects', () => {
  const record = requestRecord(OWNER, { operatorCostNanoUsd: 7n });
  expect(decodeRecord(encodeAsObject(record))).toEqual(record);
});

it.each(['', '[]', '[1,2]', '{"id":"req_a"}', 'null', '"text"', '['])('rejects %j', (line) => {
  expect(decodeRecord(line)).toBeNull();
});
