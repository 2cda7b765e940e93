import { findFirstHour } from '@tollgate/core/requests/last-days';
import { parseUsd } from '@tollgate/core/money/money';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createKeyFixture } from '@tollgate/testing/factories';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { listUsage, sumUsage } from '@tollgate/db/queries/usage/usage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { signUpVerified, type SignedIn } from '../testing/people.ts';

const MINUTE_MS = 60_000;

/** The same account for the same days on every page that sums its usage. */
describe.each(['America/New_York', 'Asia/Kolkata'])('the last 30 days of an account in %s', (timeZone) => {
  const span = (days: number) => ({ span: { kind: 'days', days }, bucket: 'day', timeZone }) as const;
  let site: TestConsole;
  let reader: SignedIn;
  let keyId: string;
  /** Requests just before, just inside and now; each has a cost that no sum of others has. */
  const COST = { before30: 1n, inside30: 20n, before7: 300n, inside7: 4_000n, now: 50_000n };
  const IN_30 = '54320';
  const IN_7 = '54000';

  beforeAll(async () => {
    site = await createTestConsole();
    reader = await signUpVerified(site, undefined, { headers: { 'x-time-zone': timeZone } });
    const { db, clock } = site.deps;
    await db.sql`UPDATE users SET is_operator = true WHERE email = ${reader.email}`;
    keyId = (await createKeyFixture(db, reader.accountId)).key.id;
    const nowMs = clock.nowMs();
    const getStart = (days: number) => findFirstHour({ days, timeZone, nowMs });
    const [month, week] = [getStart(30), getStart(7)] as const;
    const at = {
      before30: month - MINUTE_MS,
      inside30: month,
      before7: week - MINUTE_MS,
      inside7: week,
      now: nowMs,
    };
    const settlements = Object.entries(at).map(([name, startedAtMs]) =>
      requestRecord(
        { accountId: reader.accountId, keyId },
        { startedAtMs, costNanoUsd: COST[name as keyof typeof COST] },
      ),
    );
    await commitBatch(db, { settlements });
  });
  afterAll(() => site[Symbol.asyncDispose]());

  const sum = (amounts: readonly string[]) =>
    amounts.reduce((total, amount) => total + BigInt(amount), 0n).toString();
  const readExport = async (path: string) => {
    const response = await reader.visitor.get(`/exports/${path}&accountId=${reader.accountId}`);
    expect(response.status).toBe(200);
    const rows = (await response.json()) as { cost_usd: string }[];
    return sum(rows.map(({ cost_usd }) => String(parseUsd(cost_usd))));
  };

  it('cost the same on the overview, in reports and on the pages of operators', async () => {
    const { client } = reader.visitor;
    const { accountId } = reader;
    const { month, week } = await client.usage.spend.query({ accountId, timeZone });
    expect([month.costNanoUsd, week.costNanoUsd]).toEqual([IN_30, IN_7]);
    for (const groupBy of ['model', 'key', 'status'] as const) {
      const { totals } = await client.usage.report.query({ accountId, ...span(30), groupBy });
      expect([groupBy, totals.costNanoUsd]).toEqual([groupBy, IN_30]);
    }
    const { keys } = await client.usage.topKeys.query({ accountId, ...span(30) });
    expect(sum(keys.map(({ costNanoUsd }) => costNanoUsd))).toBe(IN_30);
    const { accounts } = await client.operator.accounts.list.query({ search: accountId });
    expect(accounts[0]?.spentNanoUsd).toBe(IN_30);
    expect((await client.operator.accounts.get.query({ accountId })).spentNanoUsd).toBe(IN_30);
  });

  it('cost the same in the request log and in exports', async () => {
    const { client } = reader.visitor;
    const { accountId } = reader;
    const filter = { range: '30d', zone: timeZone } as const;
    const { requests } = await client.requests.list.query({ accountId, filter });
    expect(sum(requests.map(({ costNanoUsd }) => costNanoUsd ?? '0'))).toBe(IN_30);
    expect(await readExport(`requests.json?range=30d&zone=${timeZone}`)).toBe(IN_30);
    expect(await readExport(`usage.json?days=30&step=day&group=key&zone=${timeZone}`)).toBe(IN_30);
    const week = await client.requests.list.query({ accountId, filter: { range: '7d', zone: timeZone } });
    expect(sum(week.requests.map(({ costNanoUsd }) => costNanoUsd ?? '0'))).toBe(IN_7);
    expect(await readExport(`requests.json?range=7d&zone=${timeZone}`)).toBe(IN_7);
    expect(await readExport(`usage.json?days=7&step=day&group=key&zone=${timeZone}`)).toBe(IN_7);
  });

  it('cost the same in the sums of the command line', async () => {
    const { db, clock } = site.deps;
    const firstMs = findFirstHour({ days: 30, timeZone, nowMs: clock.nowMs() });
    const filter = { accountId: reader.accountId, keyId: null, since: new Date(firstMs) };
    expect(String((await sumUsage(db, filter)).costNanoUsd)).toBe(IN_30);
    const rows = await listUsage(db, filter, 'key');
    expect(sum(rows.map(({ costNanoUsd }) => String(costNanoUsd)))).toBe(IN_30);
  });

  it('begin on the same day as the last 7 days of a key and of its report', async () => {
    const { client } = reader.visitor;
    const { accountId } = reader;
    const { keys } = await client.keys.list.query({ accountId, state: 'active' });
    expect(keys[0]?.last7Days).toEqual({ requests: 2, costNanoUsd: IN_7 });
    expect((await client.keys.get.query({ accountId, keyId })).last7Days.costNanoUsd).toBe(IN_7);
    const report = await client.usage.report.query({ accountId, ...span(7), groupBy: 'model', keyId });
    expect(report.totals.costNanoUsd).toBe(IN_7);
  });
});
