/** The session that a caller names is stored with each of its requests. */
import { createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL } from '../gateway-fixture.ts';

const harness = await createHarness();
const api = await startTestApi({ db: harness.database.db, runtime: 'node', attempts: 2 });
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

// With a budget, each request has a hold.
const { secret } = await createKeyFixture(harness.database.db, harness.accountId, { maxBudgetUsd: '5' });
const MESSAGES = [{ role: 'user', content: 'Hi' }];

async function getSession(body: object, headers: Record<string, string> = {}) {
  const { baseUrl, deps } = api;
  const path = 'max_tokens' in body ? '/messages' : '/chat/completions';
  const response = await post(`${baseUrl}${path}`, { messages: MESSAGES, ...body }, { secret, headers });
  await response.text();
  await deps.ledger.flush();
  const [row] = await harness.database.db.sql<{ session: string | null; held: boolean }[]>`
    SELECT session, held_nano_usd > 0 AS held FROM requests WHERE id = ${response.headers.get('x-request-id')}`;
  return { status: response.status, ...row };
}

it('stores the name of a header with the hold and the settlement', async () => {
  const session = 'refactor the parser';
  expect(await getSession({ model: MODEL }, { 'x-session-id': session })).toEqual({
    status: 200,
    session,
    held: true,
  });
  expect(await getSession({ model: MODEL })).toMatchObject({ status: 200, session: null });
});

it('stores the name while the request is in progress', async () => {
  harness.provider.always({ headersDelayMs: 1_500 });
  const headers = { 'x-session-id': 'long refactoring' };
  const asked = post(
    `${api.baseUrl}/chat/completions`,
    { model: MODEL, messages: MESSAGES },
    { secret, headers },
  );
  await expect
    .poll(() => harness.database.db.sql`SELECT session FROM requests WHERE state = 'held'`)
    .toEqual([{ session: 'long refactoring' }]);
  expect((await asked).status).toBe(200);
  harness.provider.reset();
});

it('stores the name of a request that is refused', async () => {
  const refused = await getSession({ model: 'none' }, { session_id: 'codex' });
  expect(refused).toMatchObject({ status: 404, session: 'codex' });
});

it('reads the session of Claude Code from the body', async () => {
  const metadata = { user_id: JSON.stringify({ device_id: 'd', session_id: 'a-session' }) };
  const asked = await getSession({ model: MODEL, max_tokens: 5, metadata });
  expect(asked).toMatchObject({ session: 'a-session' });
});
