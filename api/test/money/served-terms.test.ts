import { randomBytes } from 'node:crypto';
import { setServedNames } from '@tollgate/db/queries/catalogue/routes';
import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';

const database = await createTestDatabase();
const { sql } = database.db;
const fake = await createFakeProvider();
const { accountId } = await createAccountFixture(database.db, { planId: 'standard' });
await creditBalance(database.db, { accountId, amountNanoUsd: 100_000_000_000n });
await sql`INSERT INTO providers (id, name, dialect, base_url) VALUES
  ('prov_chat', 'chat', 'openai-chat', ${`${fake.origin}/v1`}),
  ('prov_claude', 'claude', 'anthropic-messages', ${`${fake.origin}/v1`})`;
const MODELS = [
  ['small', 'prov_chat', 1_000_000_000],
  ['large', 'prov_chat', 50_000_000_000],
  ['small-2026-04-01', 'prov_chat', 50_000_000_000],
  ['claude', 'prov_claude', 1_000_000_000],
] as const;
const RATES = {
  media: {},
  toolCalls: {},
  serviceTiers: { flex: { kind: 'multiplier', ppm: 500_000 } },
  speeds: {},
  inferenceGeos: {},
};
for (const [model, provider, price] of MODELS) {
  await sql`INSERT INTO models (id, max_output_tokens) VALUES (${model}, 1000)`;
  await sql`INSERT INTO routes (id, model_id, provider_id) VALUES (${`route_${model}`}, ${model}, ${provider})`;
  await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, rates, effective_from)
    VALUES (${model}, ${price}, ${price}, ${JSON.stringify(RATES)}::text::jsonb, now() - interval '1 minute')`;
}
const { secret } = await createKeyFixture(database.db, accountId);
const api = await startTestApi({
  db: database.db,
  runtime: 'node',
  attempts: 2,
  encryptionKey: randomBytes(32).toString('base64'),
});
const messages = [{ role: 'user', content: 'Say hello.' }];

let asked = 0;
afterEach(() => fake.reset());
afterAll(async () => {
  await api.close();
  await fake.close();
  await database[Symbol.asyncDispose]();
});

/** 10 tokens in, 10 out. */
const USAGE = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
const whole = (terms: object) => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: USAGE,
  ...terms,
});
/** @param later terms that only the last chunk before the usage reports */
const chunks = (terms: object, later: object | null = null) =>
  [
    {
      choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' }, finish_reason: null }],
      usage: null,
    },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: null, ...later },
    ...(later === null ? [{ choices: [], usage: USAGE }] : []),
  ]
    .map(
      (chunk) =>
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, ...terms, ...chunk })}\n\n`,
    )
    .join('') + 'data: [DONE]\n\n';

interface How {
  stream?: boolean;
  path?: string;
}

async function ask(terms: object, how: How = {}, later: object | null = null) {
  fake.next({ replay: { body: how.stream === true ? chunks(terms, later) : JSON.stringify(whole(terms)) } });
  const { status, row } = await send(how);
  expect(status).toBe(200);
  return row;
}

/** Sends a request to the scripted provider, and waits for the settlement. */
async function send({ stream = false, path = '/chat/completions' }: How) {
  const response = await post(
    `${api.baseUrl}${path}`,
    { model: 'small', messages, max_tokens: 100, stream },
    { secret },
  );
  await response.text();
  asked += 1;
  for (let tries = 0; tries < 100; tries += 1) {
    const rows =
      await sql`SELECT cost_nano_usd, held_nano_usd, price_mismatch, served_terms, p.model_id AS priced
      FROM requests r LEFT JOIN model_prices p ON p.id = r.price_id WHERE r.state = 'settled' ORDER BY r.id`;
    const last = rows.at(-1);
    if (rows.length === asked && last !== undefined) return { status: response.status, row: last };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('The request was not settled');
}

/** A stream that reports its served terms, and breaks off before its first word. */
const breakOff = (terms: object) => {
  const chunk = { id: 'c', choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: null }] };
  fake.next({ replay: { body: `data: ${JSON.stringify({ ...chunk, ...terms })}\n\n` } });
};

describe.each([
  ['relayed', '/chat/completions'],
  ['translated', '/messages'],
])('a stream that was interrupted before its first word, %s', (_, path) => {
  const how = { stream: true, path };

  it('leaves its terms out of the bill of the response that follows it', async () => {
    breakOff({ model: 'elsewhere', service_tier: 'priority' });
    const row = await ask({}, how);
    expect(row).toMatchObject({
      cost_nano_usd: 20_000n,
      price_mismatch: null,
      served_terms: null,
      priced: 'small',
    });
  });

  it('is not billed, although its model has no price, if no response follows it', async () => {
    breakOff({ model: 'elsewhere' });
    breakOff({ model: 'elsewhere' });
    const { status, row } = await send(how);
    expect(status).toBe(502);
    expect(row).toMatchObject({ cost_nano_usd: 0n, price_mismatch: 'model elsewhere' });
    expect(BigInt(row['held_nano_usd'])).toBeGreaterThan(0n);
  });
});

describe.each([
  ['relayed', '/chat/completions'],
  ['translated', '/messages'],
])('a stream without usage, %s', (_, path) => {
  const how = { stream: true, path };
  const plain = { model: 'small', service_tier: 'default' };

  it('is billed as the model that a later chunk names', async () => {
    expect(await ask(plain, how, { model: 'large' })).toMatchObject({
      priced: 'large',
      price_mismatch: null,
    });
  });

  it('is billed by the terms that a later chunk names, at the hold if they have no rate', async () => {
    expect(await ask(plain, how, { service_tier: 'flex' })).toMatchObject({
      served_terms: { serviceTier: 'flex' },
      price_mismatch: null,
    });
    const row = await ask(plain, how, { service_tier: 'priority' });
    expect(row.price_mismatch).toBe('service_tier priority');
    expect(row.cost_nano_usd).toBe(row.held_nano_usd);
  });
});

describe.each([
  ['whole, relayed', { stream: false }],
  ['streamed, relayed', { stream: true }],
  ['whole, translated', { stream: false, path: '/messages' }],
  ['streamed, translated', { stream: true, path: '/messages' }],
])('a response, %s', (_, how) => {
  it('is billed as requested if it reports the requested model, also by a dated name', async () => {
    const row = await ask({ model: 'small-2026-03-05', service_tier: 'default' }, how);
    expect(row).toMatchObject({
      cost_nano_usd: 20_000n,
      price_mismatch: null,
      served_terms: null,
      priced: 'small',
    });
  });

  it('is billed as the snapshot that it names if that has a separate price', async () => {
    const row = await ask({ model: 'small-2026-04-01' }, how);
    expect(row).toMatchObject({ price_mismatch: null, priced: 'small-2026-04-01' });
    expect(BigInt(row['cost_nano_usd'])).toBeGreaterThan(20_000n);
  });

  it('is billed as the model that it names if that has a price', async () => {
    const row = await ask({ model: 'large' }, how);
    expect(row).toMatchObject({ price_mismatch: null, priced: 'large' });
    expect(row['served_terms']).toMatchObject({ model: 'large' });
    expect(BigInt(row['cost_nano_usd'])).toBeGreaterThan(20_000n);
  });

  it('is billed at its hold, and flagged, if it names an unknown model', async () => {
    const row = await ask({ model: 'elsewhere' }, how);
    expect(row).toMatchObject({ price_mismatch: 'model elsewhere', priced: 'small' });
    expect(row['cost_nano_usd']).toBe(row['held_nano_usd']);
    expect(BigInt(row['cost_nano_usd'])).toBeGreaterThan(20_000n);
    expect((await verifyLedger(database.db, { recompute: null })).findings).toEqual([]);
  });

  it('is billed as requested if its route declares the name that it reports, also with a date', async () => {
    await setServedNames(database.db, { id: 'route_small', servedNames: ['ollama/other:7b'] });
    await api.deps.catalogue.load();
    for (const name of ['ollama/other:7b', 'other:7b-2026-03-05']) {
      const row = await ask({ model: name }, how);
      expect(row).toMatchObject({ cost_nano_usd: 20_000n, price_mismatch: null, priced: 'small' });
    }
    const unknown = await ask({ model: 'other:70b' }, how);
    expect(unknown).toMatchObject({ price_mismatch: 'model other:70b' });
    expect(unknown['cost_nano_usd']).toBe(unknown['held_nano_usd']);
    await setServedNames(database.db, { id: 'route_small', servedNames: [] });
    await api.deps.catalogue.load();
    const undeclared = await ask({ model: 'ollama/other:7b' }, how);
    expect(undeclared).toMatchObject({ price_mismatch: 'model ollama/other:7b' });
  });

  it('is billed by the rate of its tier, even if that was not requested', async () => {
    const row = await ask({ model: 'small', service_tier: 'flex' }, how);
    expect(row).toMatchObject({ price_mismatch: null, cost_nano_usd: 10_000n });
    expect((await verifyLedger(database.db, { recompute: null })).findings).toEqual([]);
  });

  it('is flagged if it was served on an unrequested tier without a rate', async () => {
    const row = await ask({ model: 'small', service_tier: 'priority' }, how);
    expect(row).toMatchObject({ price_mismatch: 'service_tier priority' });
    expect(row['cost_nano_usd']).toBe(row['held_nano_usd']);
  });
});
