import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase } from '@tollgate/testing/database';
import { holdRequest, requestRecord, getSettlement } from '@tollgate/testing/ledger-records';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requests } from '../../schema/requests.ts';
import { beatReplica } from './lost-holds.ts';
import { createOwner } from './used-ledger.fixture.ts';

const BILLING = {
  rawUsage: '{"prompt_tokens":10,"note":"a \\"quoted\\" {brace}, NULL"}',
  extras: { audioInputTokens: 3, toolCalls: { web_search: 2 } },
  billedTerms: { serviceTier: 'flex', speed: null, inferenceGeo: null },
  servedTerms: { model: 'gpt-5', serviceTier: 'flex', speed: null, inferenceGeo: null },
  reportedCostNanoUsd: 12_345n,
  priceMismatch: 'service_tier',
};

describe('the stored basis of a bill', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  beforeAll(async () => {
    database = await createTestDatabase();
    await beatReplica(database.db.sql, 'rep_test');
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const read = async (id: string) => {
    const [row] = await database.db.drizzle.select().from(requests).where(eq(requests.id, id));
    return row;
  };

  it('is stored with requests that had a hold and with requests that had none', async () => {
    const owner = await createOwner(database, 'internal');
    const hold = holdRequest(owner, { priceId: 1 });
    await commitBatch(database.db, { holds: [hold] });
    const [held, free, plain] = [
      getSettlement(hold, { ...BILLING, priceId: 7 }),
      requestRecord(owner, BILLING),
      requestRecord(owner),
    ];
    await commitBatch(database.db, { settlements: [held, plain, free] });
    const { extras, ...columns } = BILLING;
    for (const { id } of [held, free])
      expect(await read(id)).toMatchObject({ ...columns, usageExtras: extras });
    // The price of the model that answered replaces that of the model that was asked.
    expect((await read(held.id))?.priceId).toBe(7);
    expect(await read(plain.id)).toMatchObject({
      rawUsage: null,
      usageExtras: null,
      billedTerms: null,
      servedTerms: null,
      reportedCostNanoUsd: null,
      priceMismatch: null,
    });
  });

  it('replaces the estimate of a crash when the settlement arrives late', async () => {
    const owner = await createOwner(database, 'internal');
    const hold = holdRequest(owner, { wantNanoUsd: 5_000n });
    await commitBatch(database.db, { holds: [hold] });
    await commitBatch(database.db, {
      settlements: [getSettlement(hold, { recovered: true, costNanoUsd: 1n })],
    });
    await commitBatch(database.db, { settlements: [getSettlement(hold, BILLING)] });
    const { extras, ...columns } = BILLING;
    expect(await read(hold.id)).toMatchObject({ ...columns, usageExtras: extras, recovered: false });
  });
});
