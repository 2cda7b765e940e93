import { boundRawUsage } from '@tollgate/core/money/rates/raw-usage';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase } from '@tollgate/testing/database';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { describe, expect, it } from 'vitest';
import { createOwner, decodeRawUsage, RAW_USAGE, USAGE } from './used-ledger.fixture.ts';
import { verifyLedger } from './verify.ts';

describe('verifyLedger, comparing usage', () => {
  it('reports which counts differ from the report, and for which request', async () => {
    await using database = await createTestDatabase();
    const owner = await createOwner(database, 'internal');
    const record = requestRecord(owner, { ...USAGE, cacheReadTokens: 3, rawUsage: RAW_USAGE });
    await commitBatch(database.db, { settlements: [record] });
    const { findings } = await verifyLedger(database.db, { recompute: null, decodeUsage: decodeRawUsage });
    expect(findings).toEqual([
      {
        check: 'request_usage',
        violations: [{ subject: record.id, expected: 'cache read 0', actual: 'cache read 3' }],
        total: 1,
      },
    ]);
  });

  it('counts requests that it cannot check, and leaves out estimates and requests without usage', async () => {
    await using database = await createTestDatabase();
    const owner = await createOwner(database, 'internal');
    const record = (rest: Parameters<typeof requestRecord>[1]) => requestRecord(owner, rest);
    const settlements = [
      record({ ...USAGE, rawUsage: RAW_USAGE }),
      record({ rawUsage: boundRawUsage(`{"input_tokens":1,"x":"${'x'.repeat(9_000)}"}`) }),
      record({ rawUsage: '[]' }),
      record({ rawUsage: null }),
      record({ rawUsage: RAW_USAGE, estimated: true }),
      record({ inputTokens: 0, outputTokens: 0, costNanoUsd: 0n, status: 429 }),
    ];
    await commitBatch(database.db, { settlements });
    const { findings, usage } = await verifyLedger(database.db, {
      recompute: null,
      decodeUsage: decodeRawUsage,
    });
    expect(findings).toEqual([]);
    expect(usage).toEqual({ compared: 1, absent: 1, truncated: 1, unreadable: 1 });
  });

  it('lists the first findings and counts all, among the requested number of newest requests', async () => {
    await using database = await createTestDatabase();
    const owner = await createOwner(database, 'internal');
    const settlements = Array.from({ length: 50 }, () => requestRecord(owner, { rawUsage: RAW_USAGE }));
    await commitBatch(database.db, { settlements });
    const verify = (recompute: number | null) =>
      verifyLedger(database.db, { recompute, decodeUsage: decodeRawUsage });
    expect((await verify(null)).findings).toMatchObject([
      { check: 'request_usage', total: 50, violations: { length: 20 } },
    ]);
    expect((await verify(30)).findings).toMatchObject([{ check: 'request_usage', total: 30 }]);
  });
});
