import { createAccountFixture } from '@tollgate/testing/factories';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listLedgerEntries } from './list-entries.ts';
import { postLedgerEntry } from './post-entry.ts';

describe('listLedgerEntries', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  async function accountWith(amounts: bigint[]): Promise<string> {
    const { accountId } = await createAccountFixture(database.db);
    for (const [index, amount] of amounts.entries()) {
      await postLedgerEntry(database.db, {
        accountId,
        kind: amount > 0n ? 'top_up' : 'refund',
        debit: amount > 0n ? 'payments' : 'wallet',
        credit: amount > 0n ? 'wallet' : 'payments',
        amountNanoUsd: amount > 0n ? amount : -amount,
        idempotencyKey: `${accountId} ${index}`,
      });
    }
    return accountId;
  }

  it('shows the balance after each entry, the same for any page size', async () => {
    const accountId = await accountWith([20n, -5n, 7n, -1n]);
    const whole = await listLedgerEntries(database.db, { accountId, limit: 10 });
    expect(whole.entries.map((entry) => entry.changeNanoUsd)).toEqual([-1n, 7n, -5n, 20n]);
    expect(whole.entries.map((entry) => entry.balanceAfterNanoUsd)).toEqual([21n, 22n, 15n, 20n]);
    expect(whole.nextCursor).toBeNull();
    const pages = [];
    let cursor: string | undefined;
    do {
      const page = await listLedgerEntries(database.db, { accountId, limit: 1, cursor });
      pages.push(...page.entries);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(pages).toEqual(whole.entries);
  });

  it('ends at the available balance plus unposted usage', async () => {
    const accountId = await accountWith([100n]);
    await database.db.sql`UPDATE balances SET available_nano_usd = 70 WHERE account_id = ${accountId}`;
    await database.db.sql`
      INSERT INTO usage_hourly (hour, account_id, key_id, model, charged_nano_usd)
      VALUES (date_trunc('hour', now()), ${accountId}, 'key_1', 'm', 30)`;
    const { entries } = await listLedgerEntries(database.db, { accountId, limit: 10 });
    expect(entries.map((entry) => entry.balanceAfterNanoUsd)).toEqual([100n]);
  });

  it("shows nothing of another account, not even by a cursor of that account's", async () => {
    const theirs = await accountWith([1n, 2n, 3n]);
    const mine = await accountWith([5n]);
    const { nextCursor } = await listLedgerEntries(database.db, { accountId: theirs, limit: 1 });
    expect(nextCursor).not.toBeNull();
    const page = await listLedgerEntries(database.db, {
      accountId: mine,
      limit: 10,
      cursor: nextCursor ?? undefined,
    });
    expect(page.entries).toEqual([]);
  });
});
