import type { HoldRequest, LedgerBatch } from '@tollgate/core/money/ledger';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { getSettlement, holdRequest, type RecordOwner } from '@tollgate/testing/ledger-records';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { afterAll, describe, expect, it } from 'vitest';

const database = await createTestDatabase();

/** Of requests that do not fit whole: db/functions/admit_tight_holds.sql */
describe('a tight hold', () => {
  afterAll(() => database[Symbol.asyncDispose]());

  const commit = (batch: Partial<LedgerBatch>) => commitBatch(database.db, batch);
  const getVerdicts = async (holds: HoldRequest[]) => (await commit({ holds })).verdicts;
  const createOwner = async (creditNanoUsd: bigint): Promise<RecordOwner> => {
    const { accountId } = await createAccountFixture(database.db, { planId: 'standard' });
    const keyId = (await createKeyFixture(database.db, accountId)).key.id;
    await creditBalance(database.db, { accountId, amountNanoUsd: creditNanoUsd });
    return { accountId, keyId };
  };

  it('grants less if the request accepts less, unless other holds leave so little', async () => {
    const owner = await createOwner(1_000n);
    const flexible = { chargesBalance: true, wantNanoUsd: 5_000n, softNanoUsd: 400n, minNanoUsd: 100n };
    const first = holdRequest(owner, { ...flexible, wantNanoUsd: 700n });
    expect(await getVerdicts([first])).toEqual([{ ok: true, grantedNanoUsd: 700n }]);
    // 300 are free, but 1,000 are not spent: it waits.
    expect(await getVerdicts([holdRequest(owner, flexible)])).toEqual([
      { ok: false, reason: 'reserved', leftNanoUsd: 1_000n },
    ]);
    await commit({ settlements: [getSettlement(first, { costNanoUsd: 700n })] });
    // Now 300 are left.
    expect(await getVerdicts([holdRequest(owner, flexible)])).toEqual([{ ok: true, grantedNanoUsd: 300n }]);
  });

  it('needs more of the budget of a key than of a balance', async () => {
    const turns = { chargesBalance: true, wantNanoUsd: 5_000n, softNanoUsd: 400n, minNanoUsd: 100n };
    const ask = async (balance: bigint, keyCapNanoUsd: bigint) => {
      const request = holdRequest(await createOwner(balance), {
        ...turns,
        keyCapNanoUsd,
        keyMinNanoUsd: 2_000n,
      });
      return (await getVerdicts([request]))[0];
    };
    expect(await ask(9_000n, 1_999n)).toEqual({
      ok: false,
      reason: 'budget_exceeded',
      leftNanoUsd: 1_999n,
    });
    expect(await ask(9_000n, 2_000n)).toEqual({ ok: true, grantedNanoUsd: 2_000n });
    expect(await ask(500n, 2_000n)).toEqual({ ok: true, grantedNanoUsd: 500n });
    expect(await ask(500n, 1_999n)).toMatchObject({ reason: 'budget_exceeded' });
  });

  it('waits if other holds leave a budget less than its minimum, or little more than that', async () => {
    const owner = await createOwner(50_000n);
    const turns = { chargesBalance: true, softNanoUsd: 400n, minNanoUsd: 100n, keyMinNanoUsd: 2_000n };
    const ask = (wantNanoUsd: bigint) => holdRequest(owner, { ...turns, keyCapNanoUsd: 5_000n, wantNanoUsd });
    const first = ask(2_800n);
    expect(await getVerdicts([first])).toEqual([{ ok: true, grantedNanoUsd: 2_800n }]);
    // 2,200 are free, which is only enough for a poor response.
    const waits = { ok: false, reason: 'reserved', leftNanoUsd: 5_000n };
    expect(await getVerdicts([ask(4_000n)])).toEqual([waits]);
    await commit({ settlements: [getSettlement(first, { costNanoUsd: 2_800n })] });
    expect(await getVerdicts([ask(4_000n)])).toEqual([{ ok: true, grantedNanoUsd: 2_200n }]);
  });

  it('waits if other holds leave a balance too little for all turns, and takes what is left without them', async () => {
    const owner = await createOwner(3_000n);
    const first = holdRequest(owner, { chargesBalance: true, wantNanoUsd: 2_500n });
    expect(await getVerdicts([first])).toEqual([{ ok: true, grantedNanoUsd: 2_500n }]);
    const amounts = { wantNanoUsd: 4_000n, softNanoUsd: 400n, minNanoUsd: 100n, keyMinNanoUsd: 2_000n };
    const ask = () => holdRequest(owner, { chargesBalance: true, ...amounts });
    expect(await getVerdicts([ask()])).toEqual([{ ok: false, reason: 'reserved', leftNanoUsd: 3_000n }]);
    await commit({ settlements: [getSettlement(first, { costNanoUsd: 2_500n })] });
    expect(await getVerdicts([ask()])).toEqual([{ ok: true, grantedNanoUsd: 500n }]);
  });

  it('lists its request until that is settled, once if its batch is repeated', async () => {
    const owner = await createOwner(1_000n);
    const amounts = { wantNanoUsd: 5_000n, softNanoUsd: 400n, minNanoUsd: 100n };
    const hold = holdRequest(owner, { chargesBalance: true, ...amounts });
    const refused = holdRequest(owner, { chargesBalance: true, wantNanoUsd: 5_000n });
    const listHeld = async () =>
      (await database.db.sql`SELECT id FROM held_requests WHERE id IN (${hold.id}, ${refused.id})`).map(
        ({ id }) => String(id),
      );
    await commit({ holds: [hold, refused] });
    expect(await listHeld()).toEqual([hold.id]);
    await commit({ holds: [hold, refused], isRetry: true });
    expect(await listHeld()).toEqual([hold.id]);
    await commit({ settlements: [getSettlement(hold)] });
    expect(await listHeld()).toEqual([]);
  });
});
