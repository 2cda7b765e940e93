import { createSealer } from '@tollgate/auth/seal';
import { openBody } from '@tollgate/auth/seal-body';
import { findBodies } from '@tollgate/db/queries/bodies/find-bodies';
import { keepStored } from '@tollgate/db/queries/retention/retention-setting';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, expect, it } from 'vitest';
import { readText } from './socket-client.ts';
import { NATIVE } from '../native-provider.ts';
import { startSocketHarness } from './socket-harness.ts';

const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
const harness = await startSocketHarness({ encryptionKey: ENCRYPTION_KEY });
const { native, database } = harness;
afterAll(() => harness[Symbol.asyncDispose]());

it('stores responses of accounts that store them, for later connections and HTTP', async () => {
  const { accountId, user } = await createAccountFixture(database.db);
  await keepStored(database.db, 'responses', {
    accountId,
    actorUserId: user.id,
    retentionDays: 30,
    now: new Date(0),
  });
  const { secret } = await createKeyFixture(database.db, accountId);
  let previousId: string | undefined;
  const said = [];
  for (const input of ['One.', 'Two.', 'Three.']) {
    await using socket = await harness.open(secret);
    const warm = await socket.ask({
      model: NATIVE,
      input: `${input} Start.`,
      generate: false,
      previous_response_id: previousId,
    });
    const last = await socket.ask({ model: NATIVE, input, previous_response_id: warm.response?.id });
    expect(last).toMatchObject({
      response: { status: 'completed', previous_response_id: warm.response?.id },
    });
    previousId = last.response?.id;
    said.push(`${input} Start.`, input, readText(last));
  }
  const sent = JSON.stringify(native.seen.at(-1)?.input);
  for (const text of said.slice(0, -1)) expect(sent).toContain(text);
  const headers = { authorization: `Bearer ${secret}` };
  const stored = await fetch(`${harness.api.baseUrl}/responses/${previousId}`, { headers });
  expect(await stored.json()).toMatchObject({ id: previousId, status: 'completed' });
});

it('logs requests and responses of accounts that log them, with what they continue', async () => {
  const { accountId } = await createAccountFixture(database.db);
  const setting = { accountId, actorUserId: 'user_1', retentionDays: 7, now: new Date() };
  await keepStored(database.db, 'bodies', setting);
  const { secret } = await createKeyFixture(database.db, accountId);
  await using socket = await harness.open(secret);
  const first = await socket.ask({ model: NATIVE, input: 'A heron.', store: false });
  await socket.ask({
    model: NATIVE,
    input: 'Two herons.',
    store: false,
    previous_response_id: first.response?.id,
  });
  await harness.api.deps.ledger.flush();
  const rows = await database.db.sql<{ id: string }[]>`
    SELECT id FROM requests WHERE account_id = ${accountId} ORDER BY started_at DESC, id DESC`;
  const requestId = String(rows[0]?.id);
  const find = () => findBodies(database.db, { accountId, requestId, now: new Date() });
  await expect.poll(find, { timeout: 5_000 }).not.toBeNull();
  const bodies = await find();
  const place = { accountId, requestId };
  const open = async (side: 'request' | 'answer') => {
    const sealed = bodies?.[side]?.sealed ?? Buffer.alloc(0);
    return openBody(createSealer(ENCRYPTION_KEY), sealed, { ...place, side });
  };
  expect(await open('request')).toMatch(/A heron\..*Two herons\./);
  expect(await open('answer')).toContain('response.completed');
});
