/** Input that a model reads again after each search costs less only at providers that are known to cache it. */
import { putModel } from '@tollgate/db/queries/models/models';
import { afterAll, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, PRICES } from '../gateway-fixture.ts';

const ANSWER = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] };

const harness = await createHarness();
const { sql } = harness.database.db;
for (const [id, preset] of [
  ['prov_caching', 'openai'],
  ['prov_plain', null],
] as const)
  await sql`INSERT INTO providers (id, name, dialect, base_url, preset)
    VALUES (${id}, ${id}, 'openai-responses', ${`${harness.provider.origin}/v1`}, ${preset})`;
// Names of one length, because the bound of the input depends on the size of the body.
for (const [id, providers] of [
  ['caching', ['prov_caching']],
  ['plainly', ['prov_plain']],
  ['both-of', ['prov_caching', 'prov_plain']],
] as const) {
  await putModel(harness.database.db, {
    id,
    facts: { contextTokens: 200_000, maxOutputTokens: 8_000 },
    prices: PRICES,
    now: new Date(),
  });
  for (const provider of providers)
    await sql`INSERT INTO routes (id, model_id, provider_id) VALUES (${`${id} ${provider}`}, ${id}, ${provider})`;
}
const { secret } = await harness.createKey({ maxBudgetUsd: '1000' });
const api = await startTestApi({ db: harness.database.db, runtime: 'node' });
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

async function getHeld(model: string): Promise<bigint> {
  const body = JSON.stringify({ id: 'r', object: 'response', status: 'completed', output: [ANSWER] });
  harness.provider.next({ replay: { body, contentType: 'application/json' } });
  const asked = { model, max_output_tokens: 1_000, input: 'x', tools: [{ type: 'web_search' }] };
  const response = await post(`${api.baseUrl}/responses`, asked, { secret });
  expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 });
  await api.deps.ledger.flush();
  const [row] = await sql<{ held: bigint }[]>`
    SELECT held_nano_usd AS held FROM requests WHERE id = ${response.headers.get('x-request-id')}`;
  return row?.held ?? 0n;
}

it('holds input that is read again at the price of cached input if every provider caches it', async () => {
  const saved = (await getHeld('plainly')) - (await getHeld('caching'));
  // At least the results of ten searches, read again after each later one: $1 is not $0.1 per million tokens.
  expect(saved).toBeGreaterThan(16_000n * 45n * 900n);
});

it('holds it at the full price if one of several providers may not cache it', async () => {
  expect(await getHeld('both-of')).toBe(await getHeld('plainly'));
});
