import { insertResponse } from '@tollgate/db/queries/responses/stored-responses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteExpired } from '../housekeeping.ts';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { PASSWORD, signUpVerified } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

const DAY_MS = 86_400_000;

describe('stored responses', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  async function createKeeper(retentionDays: number) {
    const owner = await signUpVerified(site);
    await owner.visitor.client.sessions.confirm.mutate({ password: PASSWORD });
    await owner.visitor.client.responses.keep.mutate({ accountId: owner.accountId, retentionDays });
    return owner;
  }

  const add = (accountId: string, id: string, createdAtMs = site.deps.clock.nowMs()) =>
    insertResponse(site.deps.db, {
      accountId,
      id,
      createdAt: new Date(createdAtMs),
      response: Buffer.from('sealed'),
      input: Buffer.from('sealed'),
      responseSize: 6,
      inputSize: 6,
    });
  const listIds = async (accountId: string) => {
    const rows = await site.deps.db.sql<{ id: string }[]>`
      SELECT id FROM stored_responses WHERE account_id = ${accountId} ORDER BY id`;
    return rows.map(({ id }) => id);
  };

  it('are off until a re-authenticated admin turns them on', async () => {
    const { visitor, accountId } = await signUpVerified(site);
    const { responses, sessions } = visitor.client;
    expect(await responses.setting.query({ accountId })).toBeNull();
    expect(await add(accountId, 'resp_1')).toBe(false);
    const asked = { accountId, retentionDays: 3 };
    expect((await getRefusal(responses.keep.mutate(asked))).reason).toBe('confirm_identity');
    await sessions.confirm.mutate({ password: PASSWORD });
    await responses.keep.mutate(asked);
    expect(await responses.setting.query({ accountId })).toMatchObject({ retentionDays: 3 });
    expect(await add(accountId, 'resp_1')).toBe(true);
    for (const retentionDays of [0, 91, 1.5])
      expect((await getRefusal(responses.keep.mutate({ accountId, retentionDays }))).zodIssues).toMatchObject(
        [{ message: 'Enter 1 to 90 days' }],
      );
  });

  it('are deleted after the retention of their account, and when it turns them off', async () => {
    const { visitor, accountId } = await createKeeper(3);
    const { db, clock } = site.deps;
    await db.sql`UPDATE accounts SET responses_kept_since = to_timestamp(0) WHERE id = ${accountId}`;
    await add(accountId, 'resp_old', clock.nowMs() - 4 * DAY_MS);
    await add(accountId, 'resp_new');
    await deleteExpired(site.deps);
    expect(await listIds(accountId)).toEqual(['resp_new']);
    await visitor.client.responses.stop.mutate({ accountId });
    expect(await listIds(accountId)).toEqual([]);
    expect(await add(accountId, 'resp_later')).toBe(false);
    const audit = await db.sql<{ action: string }[]>`
      SELECT action FROM audit_log WHERE account_id = ${accountId} AND action LIKE '%responses' ORDER BY at, id`;
    expect(audit.map(({ action }) => action)).toEqual([
      'account.keep_responses',
      'account.stop_keeping_responses',
    ]);
  });
});
