import { ledgerEntries } from '../../schema/ledger.ts';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listLedgerDays, readLedgerDay, type LedgerDay } from './list-days.ts';
import { listLedgerEntries } from './list-entries.ts';

const NOW_MS = Date.parse('2026-11-28T12:00:00Z');

describe('days of the ledger', () => {
  let database: TestDatabase;
  let accountId: string;
  let keyId: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    const { db } = database;
    ({ accountId } = await createAccountFixture(db));
    keyId = (await createKeyFixture(db, accountId, { name: 'production' })).key.id;
    await post('2026-09-01T10:00:00Z', 1_000n);
    // In Berlin, the last hour of the 19th is posted on the 20th.
    await post('2026-11-19T23:05:00Z', -3n, '2026-11-19T22:00:00Z');
    await post('2026-11-20T00:05:00Z', -20n, '2026-11-19T23:00:00Z');
    await post('2026-11-20T09:00:00Z', 500n);
    // Posted long after its hour: it counts on the day of its posting.
    await post('2026-11-25T09:00:00Z', -7n, '2026-11-20T03:00:00Z');
  });
  afterAll(() => database[Symbol.asyncDispose]());

  let posted = 0;
  /** As entries of the past; `postLedgerEntry` takes the time of now. */
  async function post(at: string, change: bigint, usageHour?: string): Promise<void> {
    posted += 1;
    const { db } = database;
    const isUsage = usageHour !== undefined;
    await db.drizzle.insert(ledgerEntries).values({
      id: `led_${posted}`,
      at: new Date(at),
      accountId,
      kind: isUsage ? 'usage' : 'top_up',
      debit: isUsage ? 'wallet' : 'payments',
      credit: isUsage ? 'usage' : 'wallet',
      amountNanoUsd: isUsage ? -change : change,
      idempotencyKey: `entry ${posted}`,
      ...(isUsage && { keyId, usageHour: new Date(usageHour) }),
    });
    // A trigger moves the balance with other entries; usage was charged with its requests.
    if (isUsage)
      await db.sql`UPDATE balances SET available_nano_usd = available_nano_usd + ${String(change)}::bigint
        WHERE account_id = ${accountId}`;
  }

  async function listAll(timeZone: string): Promise<LedgerDay[]> {
    const all = [];
    let cursor: string | undefined;
    do {
      const page = await listLedgerDays(database.db, { accountId, timeZone, cursor, nowMs: NOW_MS });
      all.push(...page.days);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return all;
  }

  it('have their usage, payments and closing balance, over pages and months without entries', async () => {
    const days = await listAll('Europe/Berlin');
    expect(
      days.map(({ from, changeNanoUsd, balanceAfterNanoUsd }) => [
        from.toISOString(),
        changeNanoUsd,
        balanceAfterNanoUsd,
      ]),
    ).toEqual([
      ['2026-11-24T23:00:00.000Z', -7n, 1_470n],
      ['2026-11-19T23:00:00.000Z', 480n, 1_477n],
      ['2026-11-18T23:00:00.000Z', -3n, 997n],
      ['2026-08-31T22:00:00.000Z', 1_000n, 1_000n],
    ]);
    expect(days[1]?.sums).toEqual([
      { kind: 'top_up', entries: 1, changeNanoUsd: 500n },
      { kind: 'usage', entries: 1, changeNanoUsd: -20n },
    ]);
  });

  it.each(['UTC', 'Asia/Kolkata', 'America/New_York'])('add up to all entries in %s', async (timeZone) => {
    const days = await listAll(timeZone);
    const { entries } = await listLedgerEntries(database.db, { accountId, limit: 100 });
    const sum = (rows: readonly { changeNanoUsd: bigint }[]) =>
      rows.reduce((total, { changeNanoUsd }) => total + changeNanoUsd, 0n);
    expect(sum(days)).toBe(sum(entries));
    expect(days[0]?.balanceAfterNanoUsd).toBe(entries[0]?.balanceAfterNanoUsd);
    for (const day of days) {
      const parts = await readLedgerDay(database.db, { accountId, ...day, limit: 10 });
      expect(sum([...parts.entries, ...parts.keys])).toBe(day.changeNanoUsd);
      expect(parts.more).toEqual({ entries: 0, keys: 0, changeNanoUsd: 0n });
    }
  });

  it('list usage by key, and say what they leave out', async () => {
    const day = { from: new Date('2026-11-19T23:00:00Z'), to: new Date('2026-11-20T23:00:00Z') };
    const parts = await readLedgerDay(database.db, { accountId, ...day, limit: 100 });
    expect(parts.keys).toEqual([{ keyId, keyName: 'production', tags: [], hours: 1, changeNanoUsd: -20n }]);
    expect(parts.entries).toMatchObject([{ kind: 'top_up', changeNanoUsd: 500n }]);
    const short = await readLedgerDay(database.db, { accountId, ...day, limit: 0 });
    expect(short.more).toEqual({ entries: 1, keys: 1, changeNanoUsd: 480n });
  });

  it('show nothing of another account', async () => {
    const other = await createAccountFixture(database.db, { email: 'other@example.com' });
    const page = { accountId: other.accountId, timeZone: 'UTC', nowMs: NOW_MS };
    expect(await listLedgerDays(database.db, page)).toEqual({ days: [], nextCursor: null });
    const day = { from: new Date(0), to: new Date(NOW_MS), limit: 10 };
    const parts = await readLedgerDay(database.db, { accountId: other.accountId, ...day });
    expect([parts.entries, parts.keys]).toEqual([[], []]);
  });
});
