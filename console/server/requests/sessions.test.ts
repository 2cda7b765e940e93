import { commitBatch } from '@tollgate/testing/commit-batch';
import { createKeyFixture } from '@tollgate/testing/factories';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { signUpVerified } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

describe('sessions of requests', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  async function createSession(accountId: string, session: string): Promise<string[]> {
    const { key } = await createKeyFixture(site.deps.db, accountId);
    const settlements = [3, 2, 1].map((minutesAgo) =>
      requestRecord(
        { accountId, keyId: key.id },
        { session, startedAtMs: Date.now() - minutesAgo * 60_000, cacheReadTokens: 90, costNanoUsd: 5n },
      ),
    );
    await commitBatch(site.deps.db, { settlements });
    return settlements.map(({ id }) => id);
  }

  it('are listed, summed up, read in order and exported', async () => {
    const { visitor, accountId } = await signUpVerified(site);
    const ids = await createSession(accountId, 'refactor');
    const { sessions, searchedTo } = await visitor.client.requests.sessions.query({ accountId });
    expect(sessions).toMatchObject([
      { session: 'refactor', requests: 3, inputTokens: 300, cacheReadTokens: 270, costNanoUsd: '15' },
    ]);
    expect(searchedTo).toBeNull();
    const named = { accountId, session: 'refactor' };
    expect(await visitor.client.requests.session.query(named)).toEqual(sessions[0]);
    const { requests } = await visitor.client.requests.turns.query(named);
    expect(requests.map(({ id }) => id)).toEqual(ids);
    expect(requests[0]).toMatchObject({ session: 'refactor', inputTokens: 100, cacheReadTokens: 90 });
    await createSession(accountId, 'other');
    const csv = await visitor.get(`/exports/requests.json?accountId=${accountId}&session=refactor`);
    expect(await csv.json()).toMatchObject([3, 2, 1].map(() => ({ session: 'refactor' })));
  });

  it('belong to one account, and other accounts find none of that name', async () => {
    const { accountId } = await signUpVerified(site);
    await createSession(accountId, 'secret');
    const stranger = await signUpVerified(site);
    const { client } = stranger.visitor;
    const own = { accountId: stranger.accountId, session: 'secret' };
    expect(await getRefusal(client.requests.session.query(own))).toMatchObject({ code: 'NOT_FOUND' });
    expect((await client.requests.turns.query(own)).requests).toEqual([]);
    const theirs = { accountId, session: 'secret' };
    expect(await getRefusal(client.requests.session.query(theirs))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await getRefusal(client.requests.sessions.query({ accountId }))).toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
