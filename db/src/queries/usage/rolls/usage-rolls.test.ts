import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { holdRequest, getSettlement } from '@tollgate/testing/ledger-records';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beatReplica } from '../../ledger/lost-holds.ts';
import { postLedgerEntry } from '../../ledger/post-entry.ts';
import { postUsage } from '../../ledger/post-usage.ts';
import { findRolledViolations } from '../../ledger/verify-rolled.ts';
import { listAccountsForOperator } from '../../operator/list-accounts.ts';
import { readBillingOverview } from '../../payments/payments-overview.ts';
import { listUsageForExport } from '../report/export.ts';
import type { UsageRange } from '../report/filter.ts';
import { readGroupTimes } from '../report/group-times.ts';
import { listUsageGroups } from '../report/groups.ts';
import { readUsageSeries } from '../report/series.ts';
import { readUsageTimes } from '../report/times.ts';
import { rollUsage } from './roll-usage.ts';
import { readRolledUntil } from './sources.ts';

const HOUR_MS = 3_600_000;
const MODELS = ['claude', 'gpt'];
const RANGES = 5;
/** A whole hour off UTC, half an hour off, and one whose days change their length. */
const ZONES = ['UTC', 'Asia/Kolkata', 'America/New_York'];

const settleArb = fc.record({
  kind: fc.constant('settle'),
  requests: fc.array(
    fc.record({
      hoursAgo: fc.integer({ min: 0, max: 75 }),
      place: fc.nat({ max: 2 }),
      model: fc.constantFrom(...MODELS),
      costNanoUsd: fc.bigInt({ min: 1n, max: 1_000n }),
      latencyMs: fc.integer({ min: 1, max: 700_000 }),
    }),
    { minLength: 1, maxLength: 12 },
  ),
});
const stepArb = fc.oneof(
  { weight: 3, arbitrary: settleArb },
  { weight: 2, arbitrary: fc.constant({ kind: 'roll' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'post' } as const) },
);

describe('usage that is rolled up', () => {
  let database: TestDatabase;
  let accountId: string;
  /** Two of the account, one of another. */
  const owners: { accountId: string; keyId: string }[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
    const mine = await createAccountFixture(database.db);
    const theirs = await createAccountFixture(database.db);
    accountId = mine.accountId;
    await beatReplica(database.db.sql, 'rep_test');
    for (const id of [mine.accountId, theirs.accountId])
      await postLedgerEntry(database.db, {
        kind: 'credit',
        debit: 'credits',
        credit: 'wallet',
        accountId: id,
        amountNanoUsd: 1_000_000_000n,
        idempotencyKey: `test ${id}`,
      });
    for (const owner of [mine.accountId, mine.accountId, theirs.accountId])
      owners.push({ accountId: owner, keyId: (await createKeyFixture(database.db, owner)).key.id });
  });
  afterAll(() => database[Symbol.asyncDispose]());

  interface Used {
    hoursAgo: number;
    place: number;
    model: string;
    costNanoUsd: bigint;
    latencyMs: number;
  }

  async function settle(requests: Used[]): Promise<void> {
    const pairs = requests.flatMap(({ hoursAgo, place, model, ...rest }) => {
      const owner = owners[place];
      if (owner === undefined) return [];
      const startedAtMs = Date.now() - hoursAgo * HOUR_MS;
      const hold = holdRequest(owner, { startedAtMs, model, chargesBalance: true });
      return [{ hold, settlement: getSettlement(hold, rest) }];
    });
    await commitBatch(database.db, { holds: pairs.map(({ hold }) => hold) });
    await commitBatch(database.db, { settlements: pairs.map(({ settlement }) => settlement) });
  }
  const within = (fromHoursAgo: number, toHoursAgo: number): UsageRange => ({
    accountId,
    from: new Date(Date.now() - fromHoursAgo * HOUR_MS),
    to: new Date(Date.now() - toHoursAgo * HOUR_MS),
  });

  /** Every report, and the same figures computed from the hours. */
  async function readBoth(range: UsageRange) {
    const { db } = database;
    const keyIds = owners.map(({ keyId }) => keyId);
    const byName = <T extends { id: string }>(rows: T[]) =>
      rows.toSorted((left, right) => left.id.localeCompare(right.id));
    const groups = { range, order: 'cost', limit: 9 } as const;
    const reported: Record<string, unknown> = {
      models: byName(await listUsageGroups(db, { ...groups, by: 'model' })).map(getTotal),
      keys: byName(await listUsageGroups(db, { ...groups, by: 'key' })).map(getTotal),
      exported: (await listUsageForExport(db, { range, by: 'key', after: undefined, limit: 9 })).map(
        (row) => [row.group, row.requests, row.costNanoUsd],
      ),
    };
    const isMeant = db.sql`account_id = ${accountId} AND hour >= ${range.from.toISOString()} AND hour < ${range.to.toISOString()}
      ${range.model === undefined ? db.sql`` : db.sql`AND model = ${range.model}`}`;
    const direct: Record<string, unknown> = {};
    for (const [name, column] of [
      ['models', 'model'],
      ['keys', 'key_id'],
      ['exported', 'key_id'],
    ] as const) {
      direct[name] = await db.sql`
        SELECT ${db.sql(column)} AS id, sum(requests)::float8 AS requests, sum(cost_nano_usd)::bigint AS cost
        FROM usage_hourly WHERE ${isMeant} GROUP BY 1 ORDER BY 1`.values();
    }
    for (const timeZone of ZONES) {
      const query = { range, bucket: 'day', timeZone } as const;
      const ids = keyIds.slice(0, 1);
      const cells = await readUsageSeries(db, { ...query, groups: { by: 'key', ids } });
      reported[timeZone] = sorted(
        cells.map((cell) => [cell.startMs, cell.group, ...getTotal(cell).slice(1)]),
      );
      direct[timeZone] = sorted(
        await db.sql`
          SELECT extract(epoch FROM date_trunc('day', hour, ${timeZone}))::float8 * 1000,
            CASE WHEN key_id IN ${db.sql(ids)} THEN key_id END, sum(requests)::float8, sum(cost_nano_usd)::bigint
          FROM usage_hourly WHERE ${isMeant} GROUP BY 1, 2`.values(),
      );
      const times = await readUsageTimes(db, { ...query, of: 'latency' });
      reported[`times ${timeZone}`] = sorted(times.map(({ startMs, counts }) => [startMs, counts]));
      direct[`times ${timeZone}`] = sorted(
        await db.sql`
          SELECT start, array_agg(count ORDER BY place) FROM (
            SELECT extract(epoch FROM date_trunc('day', hour, ${timeZone}))::float8 * 1000 AS start, place,
              sum(count)::float8 AS count
            FROM usage_hourly, unnest(latency_counts) WITH ORDINALITY AS counts (count, place)
            WHERE ${isMeant} GROUP BY 1, 2) AS sums
          GROUP BY start`.values(),
      );
    }
    const ids = keyIds.slice(0, 1);
    const times = await readGroupTimes(db, { range, groups: { by: 'key', ids } });
    reported['times of keys'] = sorted(
      times
        .filter(({ latency }) => latency.some((count) => count > 0))
        .map(({ group, latency }) => [group, latency]),
    );
    direct['times of keys'] = sorted(
      await db.sql`
        SELECT key, array_agg(count ORDER BY place) FROM (
          SELECT CASE WHEN key_id IN ${db.sql(ids)} THEN key_id END AS key, place, sum(count)::float8 AS count
          FROM usage_hourly, unnest(latency_counts) WITH ORDINALITY AS counts (count, place)
          WHERE ${isMeant} GROUP BY 1, 2) AS sums
        GROUP BY key HAVING sum(count) > 0`.values(),
    );
    return { reported, direct };
  }

  const ranges = (): UsageRange[] => [
    within(100, 0),
    within(30.5, 26.5),
    within(60, 7),
    { ...within(80, 2), model: MODELS[0] },
    within(2, 0),
  ];

  async function expectExact(compared: UsageRange[]): Promise<void> {
    for (const range of compared) {
      const { reported, direct } = await readBoth(range);
      expect(reported).toEqual(direct);
    }
    const { db } = database;
    const [sums] = await db.sql<{ cost: bigint; open: bigint }[]>`
      SELECT coalesce(sum(cost_nano_usd), 0)::bigint AS cost,
        coalesce(sum(charged_nano_usd - posted_nano_usd), 0)::bigint AS open
      FROM usage_hourly WHERE account_id = ${accountId}`;
    const { accounts } = await listAccountsForOperator(db, { state: 'all', limit: 9, since: new Date(0) });
    expect(accounts.find(({ id }) => id === accountId)?.spentNanoUsd).toBe(sums?.cost);
    expect((await readBillingOverview(db, { accountId, provider: null }))?.unpostedNanoUsd).toBe(sums?.open);
  }

  it('equals the sum of its hours, in any order of writing, posting and rolling up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepArb, { minLength: 4, maxLength: 12 }), fc.nat(), async (steps, first) => {
        for (const [index, step] of steps.entries()) {
          if (step.kind === 'roll') await rollUsage(database.db, Date.now());
          else if (step.kind === 'post') await postUsage(database.db, { before: new Date() });
          else await settle(step.requests);
          // One range after each step, every range after the last: a wrong sum stays wrong.
          await expectExact(
            ranges()
              .slice((first + index) % RANGES)
              .slice(0, 1),
          );
          expect(await findRolledViolations(database.db)).toEqual([]);
        }
        await expectExact(ranges());
      }),
      { numRuns: Number(process.env['USAGE_ROLL_RUNS'] ?? 3) },
    );
  }, 120_000);

  it('is read only from the sums once all of it is rolled up', async () => {
    await settle([{ hoursAgo: 50, place: 0, model: 'gpt', costNanoUsd: 5n, latencyMs: 20 }]);
    await rollUsage(database.db, Date.now() + 4 * HOUR_MS);
    await database.db.sql`UPDATE usage_hourly SET posted_nano_usd = charged_nano_usd`;
    await rollUsage(database.db, Date.now() + 4 * HOUR_MS);
    expect(await database.db.sql`SELECT FROM usage_late_hours`).toHaveLength(0);
    expect((await readRolledUntil(database.db)).getTime()).toBeGreaterThan(Date.now() - HOUR_MS);
    const range = within(100, 0);
    const { reported } = await readBoth(range);
    await database.db
      .sql`DELETE FROM usage_hourly WHERE hour < ${new Date(Date.now() - HOUR_MS).toISOString()}`;
    const again = await listUsageGroups(database.db, { range, by: 'model', order: 'cost', limit: 9 });
    expect(sorted(again.map(getTotal))).toEqual(reported['models']);
  });
});

function getTotal({ id, requests, costNanoUsd }: { id?: string; requests: number; costNanoUsd: bigint }) {
  return [id, requests, costNanoUsd];
}

/** Sorted, because reports have no order. */
function sorted(rows: readonly (readonly unknown[])[]): unknown[] {
  return rows.map((row) => [...row]).toSorted((left, right) => String(left).localeCompare(String(right)));
}
