import { isTruncatedUsage, MAX_RAW_USAGE_LENGTH } from '@tollgate/core/money/rates/raw-usage';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { expect, it } from 'vitest';
import { decodeRecord, encodeRecord } from './spooled-record.ts';
import { boundRecord } from './storable-record.ts';

const OWNER = { accountId: 'acct_a', keyId: 'key_a' };
const USAGE = {
  inputTokens: 1,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 2,
};

it('limits reported usage to storable values', () => {
  const bounded = boundRecord(
    requestRecord(OWNER, {
      rawUsage: `{"a":"${'x'.repeat(20_000)}"}`,
      reportedCostNanoUsd: 2n ** 70n,
      servedTerms: {
        model: `m\0\ud800${'x'.repeat(300)}`,
        serviceTier: 'flex',
        speed: null,
        inferenceGeo: null,
      },
      extras: {
        audioInputTokens: 2 ** 40,
        toolCalls: { web_search: -1 },
        iterations: Array.from({ length: 1_000 }, () => ({
          model: 'a\0b',
          usage: { ...USAGE, outputTokens: 1.5 },
        })),
      },
    }),
    { isHeld: false, recovered: false },
  );
  expect(bounded.rawUsage).toHaveLength(MAX_RAW_USAGE_LENGTH);
  expect(isTruncatedUsage(bounded.rawUsage ?? '')).toBe(true);
  expect(bounded.reportedCostNanoUsd).toBe(10n ** 18n);
  expect(bounded.servedTerms?.model).toMatch(/^m\ufffdx+$/);
  expect(bounded.extras?.audioInputTokens).toBe(2 ** 31 - 1);
  expect(bounded.extras?.toolCalls).toEqual({ web_search: 0 });
  expect(bounded.extras?.iterations).toHaveLength(64);
  expect(bounded.extras?.iterations?.[0]).toEqual({ model: 'ab', usage: { ...USAGE, outputTokens: 2 } });
});

it('keeps a bill unchanged in the spool', () => {
  const record = requestRecord(OWNER, {
    rawUsage: '{"prompt_tokens":10}',
    reportedCostNanoUsd: 5n,
    servedTerms: { model: 'gpt-5', serviceTier: 'flex', speed: null, inferenceGeo: null },
    billedTerms: { serviceTier: 'flex', speed: null, inferenceGeo: null },
    priceMismatch: 'service_tier',
    extras: { toolCalls: { web_search: 2 }, iterations: [{ model: 'b', usage: USAGE, priceId: 3 }] },
  });
  expect(decodeRecord(encodeRecord(record))).toEqual(record);
});
