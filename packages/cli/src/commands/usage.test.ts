import { findFirstHour } from '@tollgate/core/requests/last-days';
import type { RequestRecord } from '@tollgate/core/money/ledger';
import { adjustBalance } from '@tollgate/db/queries/ledger/grant-credit';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { holdRequest, requestRecord, getSettlement } from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../testing/run-tollgate.ts';

const HOUR_MS = 3_600_000;
const NONE = {
  requests: 0,
  errors: 0,
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 0,
  costUsd: '0.00',
  chargedUsd: '0.00',
};

describe('tollgate usage', () => {
  let database: TestDatabase;
  let tollgate: Tollgate;
  let keys: { first: string; second: string };
  const nowMs = Date.now();

  beforeAll(async () => {
    database = await createTestDatabase();
    tollgate = createTollgate({ DATABASE_URL: database.url });
    const one = await createAccountFixture(database.db, { email: 'one@example.com' });
    const two = await createAccountFixture(database.db, {
      email: 'two@example.com',
      planId: 'standard',
    });
    const credit = { amountNanoUsd: 6_000_000_000n, reason: 'test', actorUserId: null };
    await adjustBalance(database.db, { accountId: two.accountId, ...credit });
    const first = (await createKeyFixture(database.db, one.accountId, { name: 'first' })).key.id;
    const second = (await createKeyFixture(database.db, two.accountId, { name: 'second' })).key.id;
    keys = { first, second };
    const owner = { accountId: one.accountId, keyId: first };
    const blank = { startedAtMs: nowMs, inputTokens: 0, outputTokens: 0, costNanoUsd: 0n };
    const request = (id: string, changes: Partial<RequestRecord>) =>
      requestRecord(owner, { ...blank, id, ...changes });
    const charged = holdRequest(
      { accountId: two.accountId, keyId: second },
      { startedAtMs: nowMs, model: 'other', wantNanoUsd: 5_500_000_000n, chargesBalance: true },
    );
    const settlements = [
      request('req_1', { inputTokens: 1_000, outputTokens: 200, costNanoUsd: 132_000n }),
      request('req_2', { status: 429, errorCode: 'rate_limit_requests' }),
      request('req_3', { startedAtMs: nowMs - 3 * HOUR_MS, cacheReadTokens: 7, costNanoUsd: 1n }),
      getSettlement(charged, { inputTokens: 0, outputTokens: 0, costNanoUsd: 5_000_000_000n }),
    ];
    await commitBatch(database.db, { holds: [charged] });
    await commitBatch(database.db, { settlements });
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it('adds up usage by model exactly, with a total', async () => {
    expect(await tollgate.json('usage')).toEqual({
      groupBy: 'model',
      since: null,
      rows: [
        {
          ...NONE,
          model: 'm',
          requests: 3,
          errors: 1,
          inputTokens: 1_000,
          cacheReadTokens: 7,
          outputTokens: 200,
          costUsd: '0.000132001',
        },
        { ...NONE, model: 'other', requests: 1, costUsd: '5.00', chargedUsd: '5.00' },
      ],
      total: {
        ...NONE,
        requests: 4,
        errors: 1,
        inputTokens: 1_000,
        cacheReadTokens: 7,
        outputTokens: 200,
        costUsd: '5.000132001',
        chargedUsd: '5.00',
      },
    });
  });

  it('adds up usage by key for one account', async () => {
    const usage = await tollgate.json('usage --group-by key --account two@example.com');
    expect(usage).toMatchObject({
      rows: [{ key: keys.second, name: 'second', requests: 1, costUsd: '5.00', chargedUsd: '5.00' }],
      total: { requests: 1 },
    });
  });

  it('includes the whole hour of --since', async () => {
    const since = new Date(nowMs).toISOString();
    const usage = await tollgate.json('usage --since', since, '--key', keys.first, '--group-by', 'day');
    expect(usage).toMatchObject({
      since,
      rows: [{ day: since.slice(0, 10), requests: 2, costUsd: '0.000132' }],
    });
  });

  it('takes the last days of the calendar, as the console does', async () => {
    const usage = await tollgate.json('usage --days 7 --time-zone Asia/Kolkata --key', keys.first);
    const firstMs = findFirstHour({ days: 7, timeZone: 'Asia/Kolkata', nowMs: Date.now() });
    expect(usage).toMatchObject({ since: new Date(firstMs).toISOString(), total: { requests: 3 } });
    const { code, stderr } = await tollgate('usage --days 7 --since 2026-11-01');
    expect([code, stderr]).toEqual([2, '--days: cannot be used with --since\n']);
    const alone = await tollgate('usage --time-zone Asia/Kolkata');
    expect([alone.code, alone.stderr]).toEqual([2, '--time-zone: needs --days\n']);
    expect((await tollgate('usage --days 7 --time-zone Nowhere')).stderr).toContain('Unknown time zone');
  });

  it('prints a table with exact amounts', async () => {
    const { stdout } = await tollgate('usage --account one@example.com');
    const lines = stdout.trim().split('\n');
    expect(lines[0]).toMatch(
      /^MODEL +REQUESTS +ERRORS +INPUT +CACHE READ +CACHE WRITE +OUTPUT +COST +CHARGED$/,
    );
    expect(lines[1]).toMatch(/^m +3 +1 +1,000 +7 +0 +200 +\$0\.000132001 +\$0\.00$/);
    expect(lines[2]).toMatch(/^total +3 /);
  });

  it('reports no usage, and rejects an unknown key', async () => {
    expect(await tollgate('usage --since 2099-01-01')).toMatchObject({
      code: 0,
      stdout: 'No requests yet\n',
    });
    expect(await tollgate('usage --key key_nope')).toMatchObject({ code: 1 });
    expect(await tollgate('usage --group-by week')).toMatchObject({ code: 2 });
  });
});
