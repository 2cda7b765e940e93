import { randomBytes } from 'node:crypto';
import { listUnknownMembers } from '@tollgate/db/queries/contracts/unknown-members';
import { updatePlan } from '@tollgate/db/queries/plans/plans';
import { changeAllowedMembers } from '@tollgate/db/queries/providers/providers';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { afterAll, expect, it, vi } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';

const database = await createTestDatabase();
const { db } = database;
const fake = await createFakeProvider();
const { accountId } = await createAccountFixture(db, { planId: 'standard' });
await creditBalance(db, { accountId, amountNanoUsd: 100_000_000_000n });
await db.sql`INSERT INTO providers (id, name, dialect, base_url) VALUES
  ('prov_chat', 'chat', 'openai-chat', ${`${fake.origin}/v1`}),
  ('prov_spare', 'spare', 'openai-chat', ${`${fake.origin}/v1`})`;
await db.sql`INSERT INTO models (id) VALUES ('small')`;
await db.sql`INSERT INTO routes (id, model_id, provider_id, priority) VALUES
  ('route_small', 'small', 'prov_chat', 0), ('route_spare', 'small', 'prov_spare', 1)`;
await db.sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
  VALUES ('small', 1000000000, 2000000000, now() - interval '1 minute')`;
const { secret } = await createKeyFixture(db, accountId);
const api = await startTestApi({ db, runtime: 'node', encryptionKey: randomBytes(32).toString('base64') });

afterAll(async () => {
  await api.close();
  await fake.close();
  await database[Symbol.asyncDispose]();
});

async function ask(more: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const sent = fake.nextRequest();
  const body = {
    model: 'small',
    messages: [{ role: 'user', content: 'Hi' }],
    max_tokens: 5,
    brand_new: 1,
    reasoning: { newer: 1 },
    ...more,
  };
  const headers = { 'user-agent': 'claude-cli/9.9 (external)' };
  await (await post(`${api.baseUrl}/chat/completions`, body, { secret, headers })).text();
  return JSON.parse((await sent).body.toString());
}

const UNTIL = { timeout: 10_000, interval: 50 };

it('forwards members that the operator allows for the provider, starting with the next request', async () => {
  expect(await ask()).not.toHaveProperty('brand_new');
  const allow = ['brand_new', 'reasoning.newer'];
  const change = { id: 'prov_chat', allow, disallow: [], actorUserId: null };
  expect(await changeAllowedMembers(db, change)).toEqual(allow);
  await vi.waitFor(
    async () => expect(await ask()).toMatchObject({ brand_new: 1, reasoning: { newer: 1 } }),
    UNTIL,
  );
  await changeAllowedMembers(db, { ...change, allow: [], disallow: allow });
  await vi.waitFor(async () => expect(await ask()).not.toHaveProperty('brand_new'), UNTIL);
});

it('forwards unknown members if the plan allows it', async () => {
  await updatePlan(db, 'standard', { forwardsUnknown: true });
  await vi.waitFor(async () => expect(await ask()).toMatchObject({ brand_new: 1 }), UNTIL);
  await updatePlan(db, 'standard', { forwardsUnknown: null });
  await vi.waitFor(async () => expect(await ask()).not.toHaveProperty('brand_new'), UNTIL);
});

it('counts unknown members by client, and stores them in bulk', async () => {
  await ask();
  await api.deps.unknownMembers.flush();
  const listed = await listUnknownMembers(db, 'chat');
  const found = listed.find(({ member }) => member === 'brand_new');
  expect(found).toMatchObject({ client: 'claude-cli' });
  const before = found?.requests ?? 0;
  await ask();
  await api.deps.unknownMembers.flush();
  const again = (await listUnknownMembers(db, 'chat')).find(({ member }) => member === 'brand_new');
  expect(again?.requests).toBe(before + 1);
  expect(listed.map(({ member }) => member)).toContain('reasoning.newer');
});

it('counts unknown members only for the first provider of the model', async () => {
  await ask();
  await api.deps.unknownMembers.flush();
  expect(await listUnknownMembers(db, 'chat')).not.toEqual([]);
  expect(await listUnknownMembers(db, 'spare')).toEqual([]);
});

it('counts an unknown tool whose request was rejected', async () => {
  const body = {
    model: 'small',
    messages: [{ role: 'user', content: 'Hi' }],
    tools: [{ type: 'strange_tool' }],
  };
  expect((await post(`${api.baseUrl}/chat/completions`, body, { secret })).status).toBe(400);
  await api.deps.unknownMembers.flush();
  const listed = await listUnknownMembers(db, 'chat');
  expect(listed.map(({ member }) => member)).toContain('tools.strange_tool');
});

it('stores few of the members of one request that sends ninety', async () => {
  const junk = Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`junk_${at}`, 1]));
  await ask(junk);
  await api.deps.unknownMembers.flush();
  const listed = await listUnknownMembers(db, 'chat');
  const stored = listed.filter(({ member }) => member.startsWith('junk_'));
  expect(stored.length).toBeGreaterThan(0);
  expect(stored.length).toBeLessThanOrEqual(20);
});
