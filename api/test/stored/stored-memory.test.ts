import { setTimeout as sleep } from 'node:timers/promises';
import { createKeyFixture } from '@tollgate/testing/factories';
import { watchTurns } from '@tollgate/testing/longest-turn';
import { afterAll, expect, it, vi } from 'vitest';
import { NATIVE } from '../native-provider.ts';
import { createResponse, startStoredHarness, TRANSLATED } from './stored-harness.ts';

const gateway = await startStoredHarness();
const { createClient, createAccount, harness, apis, listSent } = gateway;
afterAll(() => gateway[Symbol.asyncDispose]());

const { deps, baseUrl } = apis[0];
const LARGE = 'abcdefgh'.repeat(128 * 1024);

const post = (secret: string, body: string) =>
  fetch(`${baseUrl}/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body,
  });
const store = async (secret: string, input: string) =>
  (await createClient(secret).responses.create({ model: NATIVE, input })).id;
/** Reading it fails afterwards. */
const breakStored = (id: string) =>
  harness.database.db
    .sql`UPDATE stored_responses SET input_sealed = 'broken', response_sealed = 'broken' WHERE id = ${id}`;

it.each(['previous_response_id', 'input'])('refuses a body that names %s twice', async (name) => {
  const { secret } = await createAccount(7);
  const id = await store(secret, 'Hello');
  const members = `"model":"${NATIVE}","input":"Go on","previous_response_id":"${id}"`;
  const answer = await post(secret, `{${members},"${name}":"${id}"}`);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: { param: name, code: 'invalid_request' } });
});

it.each(['{"previous_response_id":"x","\\q":1}', '{"previous_response_id":"x",', '["previous_response_id"]'])(
  'refuses the invalid body %s as without stored responses',
  async (body) => {
    const { secret } = await createAccount(7);
    const plain = await createAccount(null);
    const [answer, expected] = [await post(secret, body), await post(plain.secret, body)];
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual(await expected.json());
  },
);

it('finds no response with an id that the database cannot hold', async () => {
  const { secret } = await createAccount(7);
  const next = { model: NATIVE, input: 'Go on', previous_response_id: 'resp_a\u0000b' };
  const answer = await post(secret, JSON.stringify(next));
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: { code: 'previous_response_not_found' } });
  const headers = { authorization: `Bearer ${secret}` };
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['GET', '/input_items'],
    ['POST', '/cancel'],
  ] as const) {
    const found = await fetch(`${baseUrl}/responses/resp_a%00b${path}`, { method, headers });
    expect({ method, path, status: found.status }).toEqual({ method, path, status: 404 });
  }
});

it('refuses a large body that escapes the name of previous_response_id', async () => {
  const { secret } = await createAccount(7);
  const id = await store(secret, 'Hello');
  const answer = await post(
    secret,
    `{"model":"${NATIVE}","previous\\u005fresponse_id":"${id}","input":"${LARGE}"}`,
  );
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: { param: 'previous_response_id' } });
});

it('continues a large response, also with a large request', async () => {
  const { secret } = await createAccount(7);
  const id = await store(secret, LARGE);
  const next = { model: NATIVE, previous_response_id: id, input: LARGE };
  const { id: second } = await createClient(secret).responses.create(next);
  const input = listSent(NATIVE).at(-1)?.['input'];
  expect(input).toMatchObject([{ role: 'user', content: LARGE }, {}, {}, { role: 'user', content: LARGE }]);
  const items = await createClient(secret).responses.inputItems.list(second, { order: 'asc' });
  expect(items.data.map(({ type }) => type)).toEqual(['message', 'reasoning', 'message', 'message']);
});

it('compresses no input of a request that is not paid for', async () => {
  const { accountId, secret } = await createAccount(7);
  const { secret: poor } = await createKeyFixture(harness.database.db, accountId, {
    maxBudgetUsd: '0.000001',
  });
  const sealing = vi.spyOn(deps.stored.responses, 'sealInput');
  const body = JSON.stringify({ model: NATIVE, input: LARGE });
  expect((await post(poor, body)).status).toBe(402);
  expect(sealing).not.toHaveBeenCalled();
  expect((await post(secret, body)).status).toBe(200);
  expect(sealing).toHaveBeenCalledOnce();
  await expect.poll(() => deps.bodyBudget.usedBytes).toBe(0);
});

it('reserves memory before it reads a stored response to continue', async () => {
  const { accountId, secret } = await createAccount(7);
  const id = await store(secret, LARGE);
  await breakStored(id);
  using taken = take(deps.bodyBudget, accountId, LARGE.length / 2);
  const answer = await post(secret, JSON.stringify({ model: NATIVE, previous_response_id: id, input: 'Hi' }));
  expect(taken.bytes).toBeGreaterThan(0);
  expect(await answer.json()).toMatchObject({ error: { code: 'rate_limit_bodies' } });
});

it('reserves memory before it reads a conversation', async () => {
  const { accountId, secret } = await createAccount(7);
  const { conversations } = createClient(secret);
  const items = [{ role: 'user' as const, content: LARGE }];
  const { id } = await conversations.create({ items });
  await harness.database.db.sql`UPDATE conversation_parts SET items_sealed = 'broken'
    WHERE conversation_id = ${id}`;
  {
    using _taken = take(deps.bodyBudget, accountId, LARGE.length / 2);
    const answer = await post(secret, JSON.stringify({ model: NATIVE, conversation: id, input: 'Hi' }));
    expect(await answer.json()).toMatchObject({ error: { code: 'rate_limit_bodies' } });
  }
  {
    using _taken = take(deps.largeAnswers.budget, accountId, LARGE.length / 2);
    await expect(conversations.items.list(id)).rejects.toMatchObject({ code: 'gateway_overloaded' });
  }
  const { id: second } = await conversations.create({ items });
  expect((await conversations.items.list(second)).data).toHaveLength(1);
  await expect.poll(() => deps.largeAnswers.budget.usedBytes).toBe(0);
  await expect.poll(() => deps.bodyBudget.usedBytes).toBe(0);
});

it('counts items as memory until their caller has them', async () => {
  const { secret } = await createAccount(7);
  const { id } = await createClient(secret).conversations.create();
  const path = `${baseUrl}/conversations/${id}/items`;
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const text = LARGE.repeat(28);
  const body = JSON.stringify({ items: [{ role: 'user', content: text }] });
  const added = await fetch(path, { method: 'POST', headers, body });
  const listed = await fetch(path, { headers });
  // The two responses are not read yet.
  await sleep(300);
  expect(deps.bodyBudget.usedBytes).toBeGreaterThan(text.length);
  expect(deps.largeAnswers.budget.usedBytes).toBeGreaterThan(text.length);
  for (const response of [added, listed])
    expect(await response.json()).toMatchObject({ data: [{ content: [{ text }] }] });
  await expect.poll(() => deps.largeAnswers.budget.usedBytes).toBe(0);
  await expect.poll(() => deps.bodyBudget.usedBytes).toBe(0);
});

it('reserves memory before it reads a stored response for its caller', async () => {
  const { accountId, secret } = await createAccount(7);
  const id = await store(secret, LARGE);
  const { responses } = createClient(secret);
  {
    using _taken = take(deps.largeAnswers.budget, accountId, 100);
    await expect(responses.retrieve(id)).rejects.toMatchObject({ code: 'gateway_overloaded' });
    await expect(responses.inputItems.list(id)).rejects.toMatchObject({ code: 'gateway_overloaded' });
  }
  expect((await responses.retrieve(id)).id).toBe(id);
  expect((await responses.inputItems.list(id)).data).toHaveLength(1);
  await expect.poll(() => deps.largeAnswers.budget.usedBytes).toBe(0);
  await expect.poll(() => deps.bodyBudget.usedBytes).toBe(0);
});

it('reads nothing for a key whose limit is used up', async () => {
  const { accountId } = await createAccount(7);
  const { secret } = await createKeyFixture(harness.database.db, accountId, { rpm: 1 });
  const id = await store(secret, 'Hello');
  await breakStored(id);
  const answer = await post(secret, JSON.stringify({ model: NATIVE, previous_response_id: id, input: 'Hi' }));
  expect(answer.status).toBe(429);
});

/** Leaves an account only some bytes of a budget. */
function take(budget: typeof deps.bodyBudget, accountId: string, leftBytes: number) {
  const reservation = budget.open(accountId);
  const bytes = budget.maxReservedBytes - leftBytes;
  if (reservation.grow(bytes) !== null) throw new Error('The budget is in use');
  return { bytes, [Symbol.dispose]: () => reservation.release() };
}

it('pages through a large input without blocking others', async () => {
  const { secret } = await createAccount(7);
  const content = 'abcdefgh'.repeat(60);
  const input = Array.from({ length: 45_000 }, () => ({ role: 'user' as const, content }));
  const { id } = await createClient(secret).responses.create({ model: NATIVE, input });
  const turns = watchTurns();
  const { data } = await createClient(secret).responses.inputItems.list(id, { limit: 1, order: 'asc' });
  const longestMs = turns.stop();
  expect(data).toMatchObject([{ type: 'message', content: [{ type: 'input_text', text: content }] }]);
  expect(longestMs).toBeLessThan(400);
});

it.each([NATIVE, TRANSLATED])(
  'stores the last response of a stream of %s, whatever it repeats',
  async (model) => {
    const { secret } = await createAccount(7);
    const body = { model, input: 'Hello', metadata: { type: 'response.completed' } };
    const { id, output } = await createResponse(createClient(secret), body, true);
    const stored = await createClient(secret).responses.retrieve(id);
    expect(stored.status).toBe('completed');
    expect(stored.output).toEqual(output);
  },
);
