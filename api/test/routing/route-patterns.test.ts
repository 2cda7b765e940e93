import { addRoutePattern } from '@tollgate/db/queries/catalogue/route-patterns';
import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { listOffers, listPatternOffers } from '@tollgate/upstreams/catalogue/model-catalogue';
import { afterAll, describe, expect, it } from 'vitest';
import { get, readJson } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { TESTED_ENDPOINTS } from '../tested-endpoints.ts';

const UPSTREAM = 'claude-haiku-4-5';
const MODEL = `anthropic/${UPSTREAM}`;
const database = await createTestDatabase();
const { db } = database;
const provider = await createFakeProvider();
await db.sql`INSERT INTO providers (id, name, dialect, base_url, preset)
  VALUES ('prov_1', 'anthropic', 'anthropic-messages', ${`${provider.origin}/v1`}, 'anthropic')`;
const { accountId } = await createAccountFixture(db);
const api = await startTestApi({ db, runtime: 'node' });
const { secret } = await createKeyFixture(db, accountId, {});
const added = await addRoutePattern(
  db,
  { providerName: 'anthropic', pattern: 'anthropic/*', strip: 'anthropic/', priority: 0, weight: 1 },
  { offers: listPatternOffers(Date.now()), actorUserId: null },
);
if (!added.ok) throw new Error(added.reason);
await api.deps.catalogue.load();
afterAll(async () => {
  await api.close();
  for (const each of [provider, database]) await each[Symbol.asyncDispose]();
});

const CELLS = TESTED_ENDPOINTS.flatMap((endpoint) =>
  [true, false].map((stream) => ({ endpoint, path: endpoint.path, stream })),
);

describe.each(CELLS)('a model of a pattern at $path, streamed: $stream', ({ endpoint, stream }) => {
  const ask = (model: string) => {
    const said = { role: 'user', content: 'Hello.' };
    const body =
      endpoint.dialect === 'openai-responses' ? { input: [said] } : { messages: [said], max_tokens: 50 };
    return fetch(api.baseUrl + endpoint.path, {
      method: 'POST',
      headers: endpoint.headers(secret),
      body: JSON.stringify({ model, ...body, stream }),
    });
  };

  it('is sent with the name that the provider knows, and costs the price of the catalogue', async () => {
    const response = await ask(MODEL);
    await response.text();
    expect(response.status).toBe(200);
    const served = provider.requests.at(-1);
    expect(served?.model).toBe(UPSTREAM);
    const prices = listOffers(UPSTREAM).find(({ preset }) => preset === 'anthropic')?.prices;
    const { inputTokens = 0, outputTokens = 0 } = served?.usage ?? {};
    const cost =
      (BigInt(inputTokens) * (prices?.inputNanoUsdPerMtok ?? 0n) +
        BigInt(outputTokens) * (prices?.outputNanoUsdPerMtok ?? 0n)) /
      1_000_000n;
    expect(cost).toBeGreaterThan(0n);
    const find = () => db.sql<{ model: string; cost: string }[]>`
      SELECT model, cost_nano_usd::text AS cost FROM requests
      WHERE id = ${response.headers.get('x-request-id')} AND state = 'settled'`;
    await expect.poll(async () => (await find()).length).toBe(1);
    expect(await find()).toMatchObject([{ model: MODEL, cost: String(cost) }]);
  });

  it('is not found if the catalogue has no price of it', async () => {
    const before = provider.requests.length;
    for (const name of ['anthropic/claude-unknown-9', UPSTREAM, 'anthropic/', 'Anthropic/claude-haiku-4-5']) {
      const response = await ask(name);
      expect(response.status).toBe(404);
      expect(endpoint.checkError(await response.json())).toEqual([]);
    }
    expect(provider.requests).toHaveLength(before);
  });
});

it('is listed', async () => {
  const { data } = await readJson<{ data: { id: string }[] }>(get(`${api.baseUrl}/models`, { secret }));
  expect(data.map(({ id }) => id)).toEqual(added.synced.added.toSorted());
});

it('leaves a ledger that adds up', async () => {
  expect((await verifyLedger(db, { recompute: null })).findings).toEqual([]);
});
