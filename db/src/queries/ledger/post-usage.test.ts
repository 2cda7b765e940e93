import type { LedgerBatch } from '@tollgate/core/money/ledger';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { holdRequest, getSettlement, type RecordOwner } from '@tollgate/testing/ledger-records';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../client.ts';
import { balances, ledgerEntries } from '../../schema/ledger.ts';
import { usageHourly } from '../../schema/requests.ts';
import { adjustBalance } from './grant-credit.ts';
import { postUsage } from './post-usage.ts';

const HOUR_MS = 3_600_000;
const THIS_HOUR_MS = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
const PAST_MS = THIS_HOUR_MS - 5 * HOUR_MS;
const CREDIT = 1_000_000_000n;

describe('postUsage', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const freshKey = async (): Promise<RecordOwner> => {
    const { accountId } = await createAccountFixture(database.db, { planId: 'standard' });
    const credit = { accountId, amountNanoUsd: CREDIT, reason: 'test', actorUserId: null };
    await adjustBalance(database.db, credit);
    return { accountId, keyId: (await createKeyFixture(database.db, accountId)).key.id };
  };
  const commit = (batch: Partial<LedgerBatch>) => commitBatch(database.db, batch);
  const use = async (
    owner: RecordOwner,
    costNanoUsd: bigint,
    rest: { startedAtMs?: number; model?: string; chargesBalance?: boolean } = {},
  ) => {
    const hold = holdRequest(owner, { startedAtMs: PAST_MS, chargesBalance: true, ...rest });
    await commit({ holds: [hold] });
    await commit({ settlements: [getSettlement(hold, { costNanoUsd })] });
  };
  const post = () => postUsage(database.db, { before: new Date() });
  const readBack = async ({ accountId }: RecordOwner) => {
    const { drizzle } = database.db;
    const [balance] = await drizzle.select().from(balances).where(eq(balances.accountId, accountId));
    const entries = await drizzle
      .select()
      .from(ledgerEntries)
      .where(eq(ledgerEntries.accountId, accountId))
      .orderBy(ledgerEntries.usageHour, ledgerEntries.id);
    const hours = await drizzle.select().from(usageHourly).where(eq(usageHourly.accountId, accountId));
    const usage = entries.filter((entry) => entry.kind === 'usage');
    return {
      available: balance?.availableNanoUsd,
      usage,
      net: usage.reduce((sum, { debit, amountNanoUsd: n }) => sum + (debit === 'wallet' ? n : -n), 0n),
      isPosted: hours.every((hour) => hour.chargedNanoUsd === hour.postedNanoUsd),
    };
  };

  it('posts the models of a key and an hour as one entry, and changes no balance', async () => {
    const owner = await freshKey();
    await use(owner, 300n);
    await use(owner, 200n, { model: 'n' });
    await use(owner, 7n, { startedAtMs: PAST_MS - HOUR_MS });
    expect(await post()).toEqual({ entries: 2, chargedNanoUsd: 507n });
    const { available, usage, isPosted } = await readBack(owner);
    const entry = { keyId: owner.keyId, debit: 'wallet', credit: 'usage', paymentId: null };
    expect(usage).toMatchObject([
      { ...entry, amountNanoUsd: 7n, usageHour: new Date(PAST_MS - HOUR_MS) },
      { ...entry, amountNanoUsd: 500n, usageHour: new Date(PAST_MS) },
    ]);
    expect({ available, isPosted }).toEqual({ available: CREDIT - 507n, isPosted: true });
    expect(await post()).toEqual({ entries: 0, chargedNanoUsd: 0n });
  });

  it('skips the running hour, usage that no balance pays, and usage before `since`', async () => {
    const owner = await freshKey();
    await use(owner, 10n, { startedAtMs: Date.now() });
    await use(owner, 20n, { chargesBalance: false });
    await use(owner, 30n, { startedAtMs: PAST_MS - 2 * HOUR_MS });
    const since = new Date(PAST_MS);
    expect(await postUsage(database.db, { before: new Date(), since })).toMatchObject({ entries: 0 });
    expect(await post()).toEqual({ entries: 1, chargedNanoUsd: 30n });
    const afterwards = new Date(THIS_HOUR_MS + 2 * HOUR_MS);
    expect(await postUsage(database.db, { before: afterwards })).toEqual({ entries: 1, chargedNanoUsd: 10n });
  });

  it('posts late settlements and corrected estimates as separate entries', async () => {
    const owner = await freshKey();
    const hold = holdRequest(owner, { startedAtMs: PAST_MS, chargesBalance: true });
    await commit({ holds: [hold] });
    await commit({ settlements: [getSettlement(hold, { costNanoUsd: 900n, recovered: true })] });
    await post();
    await commit({ settlements: [getSettlement(hold, { costNanoUsd: 250n })] });
    expect(await post()).toEqual({ entries: 1, chargedNanoUsd: -650n });
    // The same amounts as before: still a separate entry.
    await use(owner, 650n);
    expect(await post()).toEqual({ entries: 1, chargedNanoUsd: 650n });
    const { usage, net, available, isPosted } = await readBack(owner);
    expect(usage.map(({ debit, amountNanoUsd }) => [debit, amountNanoUsd])).toEqual([
      ['wallet', 900n],
      ['usage', 650n],
      ['wallet', 650n],
    ]);
    expect({ net, available, isPosted }).toEqual({ net: 900n, available: CREDIT - 900n, isPosted: true });
  });

  it('needs no entry if one model’s correction makes up for the charge of another', async () => {
    const owner = await freshKey();
    const hold = holdRequest(owner, { startedAtMs: PAST_MS, chargesBalance: true });
    await commit({ holds: [hold] });
    await commit({ settlements: [getSettlement(hold, { costNanoUsd: 400n, recovered: true })] });
    await post();
    await commit({ settlements: [getSettlement(hold, { costNanoUsd: 100n })] });
    await use(owner, 300n, { model: 'n' });
    expect(await post()).toEqual({ entries: 0, chargedNanoUsd: 0n });
    expect(await readBack(owner)).toMatchObject({ net: 400n, isPosted: true });
  });

  it('posts everything exactly once while several processes post and requests keep settling', async () => {
    const owners = await Promise.all(Array.from({ length: 4 }, freshKey));
    // More rows than one chunk takes.
    const models = Array.from({ length: 400 }, (_, index) => `m${index}`);
    const holds = owners.flatMap((owner) =>
      models.map((model) =>
        holdRequest(owner, { startedAtMs: PAST_MS, model, chargesBalance: true, wantNanoUsd: 100n }),
      ),
    );
    for (let at = 0; at < holds.length; at += 400) await commit({ holds: holds.slice(at, at + 400) });
    const settling = Array.from({ length: 16 }, (_, batch) =>
      commit({
        settlements: holds
          .filter((__, index) => index % 16 === batch)
          .map((hold) => getSettlement(hold, { costNanoUsd: 10n })),
      }),
    );
    const other = openDatabase(database.url);
    const posting = [database.db, other, database.db, other].map((db) =>
      postUsage(db, { before: new Date() }),
    );
    await Promise.all([...settling, ...posting]);
    await postUsage(other, { before: new Date() });
    await other.close();
    for (const owner of owners)
      expect(await readBack(owner)).toMatchObject({
        net: 4_000n,
        available: CREDIT - 4_000n,
        isPosted: true,
      });
  });
});
