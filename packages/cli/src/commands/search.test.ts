import type { AttemptRecord } from '@tollgate/core/money/ledger';
import { sumRequests } from '@tollgate/db/queries/usage/providers/sum-requests';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../testing/run-tollgate.ts';

describe('tollgate search and tollgate request show', () => {
  let database: TestDatabase;
  let tollgate: Tollgate;
  let accountId: string;
  let key: { id: string; prefix: string; last4: string };
  const failed: AttemptRecord = {
    provider: 'acme',
    route: 'route_1',
    upstreamModel: 'm-large',
    outcome: 'rate_limited',
    status: 429,
    durationMs: 31,
    errorType: 'rate_limit_error',
    errorMessage: 'Slow down',
    requestId: 'req_011CS',
    next: 'none',
    why: 'no_other_route',
  };
  beforeAll(async () => {
    database = await createTestDatabase();
    tollgate = createTollgate({ DATABASE_URL: database.url });
    ({ accountId } = await createAccountFixture(database.db, { email: 'you@example.com' }));
    ({ key } = await createKeyFixture(database.db, accountId, { name: 'laptop' }));
    const record = requestRecord(
      { accountId, keyId: key.id },
      {
        id: 'req_1',
        model: 'gpt-5-mini',
        provider: 'p',
        costNanoUsd: 132_000n,
        attempts: [failed],
        session: 'chat',
        providerRequestId: 'req_011CS',
      },
    );
    await commitBatch(database.db, { settlements: [record] });
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const listAudit = async () => database.db.sql`
    SELECT action, subject, account_id, actor_user_id FROM audit_log
    WHERE action IN ('search.run', 'request.view') ORDER BY at, id`;

  it('finds content of all accounts and records it', async () => {
    const account = { id: accountId, name: 'you@example.com' };
    expect(await tollgate.json('search laptop')).toEqual({
      hits: [{ kind: 'key', id: key.id, label: 'laptop', detail: `${key.prefix}…${key.last4}`, account }],
    });
    const { stdout } = await tollgate('search you@');
    expect(stdout).toMatch(/^KIND +ID +NAME +DETAIL +ACCOUNT\naccount +acct_\S+ +you@example\.com/);
    expect(await listAudit()).toEqual([
      { action: 'search.run', subject: accountId, account_id: null, actor_user_id: null },
      { action: 'search.run', subject: accountId, account_id: null, actor_user_id: null },
    ]);
  });

  it('says what to search for if it finds nothing, and refuses one character', async () => {
    expect(await tollgate('search nothing-like-this')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing found.') as string,
    });
    expect(await tollgate('search x')).toMatchObject({ code: 2 });
  });

  it('shows a request with its attempts, and records it in the account', async () => {
    expect(await tollgate.json('request show req_1')).toMatchObject({
      id: 'req_1',
      account: { id: accountId, name: 'you@example.com' },
      key: { id: key.id, name: 'laptop' },
      model: 'gpt-5-mini',
      status: 200,
      costUsd: '0.000132',
      attempts: [{ provider: 'acme', outcome: 'rate_limited', status: 429, durationMs: 31 }],
    });
    const { stdout } = await tollgate('request show req_1');
    expect(stdout).toMatch(/^Model +gpt-5-mini$/m);
    expect(stdout).toMatch(/^Cost +\$0\.000132$/m);
    expect(stdout).toMatch(/^1 +acme +m-large +rate_limited +429 +31$/m);
    expect(stdout).toMatch(/^Session +chat$/m);
    expect(stdout).toContain(
      '1. rate_limit_error: Slow down. Not retried: no other route was left. Provider request req_011CS.',
    );
    expect((await listAudit()).at(-1)).toEqual({
      action: 'request.view',
      subject: 'req_1',
      account_id: accountId,
      actor_user_id: null,
    });
  });

  it('shows the error of a failed request with its meaning, and finds it by the ID of its provider', async () => {
    const record = requestRecord(
      { accountId, keyId: key.id },
      {
        id: 'req_2',
        status: 503,
        errorCode: 'upstream_overloaded',
        errorMessage: 'The provider is overloaded.',
        errorParam: 'model',
        attempts: [{ ...failed, requestId: 'abc-123' }],
      },
    );
    await commitBatch(database.db, { settlements: [record] });
    const { stdout } = await tollgate('request show req_2');
    expect(stdout).toMatch(/^Error +upstream_overloaded$/m);
    expect(stdout).toMatch(/^Message +The provider is overloaded\.$/m);
    expect(stdout).toMatch(/^Parameter +model$/m);
    expect(stdout).toMatch(/^Meaning +\S+/m);
    expect(await tollgate.json('search abc-123')).toEqual({ hits: [] });
    await sumRequests(database.db, Date.now());
    expect(await tollgate.json('search abc-123')).toMatchObject({ hits: [{ kind: 'request', id: 'req_2' }] });
    expect(await tollgate.json('search req_011CS')).toMatchObject({ hits: [{ id: 'req_1' }] });
  });

  it('fails for an unknown request and for something else', async () => {
    expect(await tollgate('request show req_none')).toMatchObject({
      code: 1,
      stderr: 'Request req_none does not exist, or its month was deleted\n',
    });
    expect(await tollgate('request show key_1')).toMatchObject({ code: 2 });
  });
});
