import { expect, it } from 'vitest';
import { createTestConsole } from '../testing/console-fixture.ts';
import { signUpVerified } from '../testing/people.ts';

it('models.list names the models that have a price in force and a route, with the newest price', async () => {
  await using site = await createTestConsole();
  const { visitor, accountId } = await signUpVerified(site);
  const { sql } = site.deps.db;
  await sql`INSERT INTO providers (id, name, dialect) VALUES ('prov_1', 'test-provider', 'demo')`;
  await sql`INSERT INTO models (id, context_tokens) VALUES ('test-b', 128000), ('test-a', NULL), ('no-route', 1), ('no-price', 1), ('not-yet', 1)`;
  await sql`
    INSERT INTO routes (id, model_id, provider_id) VALUES
      ('route_1', 'test-a', 'prov_1'), ('route_2', 'test-b', 'prov_1'), ('route_3', 'no-price', 'prov_1'), ('route_4', 'not-yet', 'prov_1')`;
  await sql`
    INSERT INTO model_prices (model_id, effective_from, input_nano_usd_per_mtok, output_nano_usd_per_mtok) VALUES
      ('test-a', now() - interval '2 days', 9000000000, 9000000000),
      ('test-a', now() - interval '1 day', 250000000, 1500000000),
      ('test-a', now() + interval '1 day', 7000000000, 7000000000),
      ('test-b', now(), 3000000000, 15000000000),
      ('no-route', now(), 1, 1),
      ('not-yet', now() + interval '1 day', 1, 1)`;
  const { models } = await visitor.client.models.list.query({ accountId });
  expect(models).toEqual([
    { id: 'test-a', inputUsdPerMtok: '0.25', outputUsdPerMtok: '1.50', contextTokens: null },
    { id: 'test-b', inputUsdPerMtok: '3.00', outputUsdPerMtok: '15.00', contextTokens: 128_000 },
  ]);
  await sql`UPDATE plans SET allowed_models = '{test-b,no-price}' WHERE id = (SELECT plan_id FROM accounts WHERE id = ${accountId})`;
  const ofPlan = await visitor.client.models.list.query({ accountId });
  expect(ofPlan.models.map(({ id }) => id)).toEqual(['test-b']);
});

it('models.catalogue returns for every model whether the account can call it, and its price', async () => {
  await using site = await createTestConsole();
  const { visitor, accountId } = await signUpVerified(site);
  const { sql } = site.deps.db;
  await sql`INSERT INTO providers (id, name, dialect) VALUES ('prov_1', 'test-provider', 'demo')`;
  await sql`
    INSERT INTO models (id, title, context_tokens, max_output_tokens, capabilities, retires_at) VALUES
      ('full', 'The full one', 128000, 4096, '{tools,vision,of-a-newer-release}', '2027-01-31T00:00:00Z'),
      ('no-price', NULL, NULL, NULL, '{}', NULL),
      ('no-route', NULL, NULL, NULL, '{}', NULL),
      ('other-plan', NULL, NULL, NULL, '{}', NULL)`;
  await sql`
    INSERT INTO routes (id, model_id, provider_id)
    SELECT 'route_' || id, id, 'prov_1' FROM models WHERE id <> 'no-route'`;
  await sql`
    INSERT INTO model_prices (
      model_id, effective_from, input_nano_usd_per_mtok, output_nano_usd_per_mtok, cache_read_nano_usd_per_mtok,
      above_input_tokens, long_input_nano_usd_per_mtok, long_output_nano_usd_per_mtok
    ) VALUES
      ('full', now() - interval '1 day', 3000000000, 15000000000, 300000000, 200000, 6000000000, 22500000000),
      ('no-route', now() - interval '1 day', 1, 1, NULL, NULL, NULL, NULL),
      ('other-plan', now() - interval '1 day', 1, 1, NULL, NULL, NULL, NULL)`;
  await sql`UPDATE plans SET allowed_models = '{full,no-price,no-route}', price_ppm = 1200000
    WHERE id = (SELECT plan_id FROM accounts WHERE id = ${accountId})`;
  const { models, plan } = await visitor.client.models.catalogue.query({ accountId });
  expect(plan).toEqual({ pricePpm: 1_200_000, isPrepaid: true });
  expect(models.map(({ id, availability }) => [id, availability])).toEqual([
    ['full', 'available'],
    ['no-price', 'no_price'],
    ['no-route', 'no_route'],
    ['other-plan', 'not_in_plan'],
  ]);
  expect(models[0]).toEqual({
    id: 'full',
    title: 'The full one',
    availability: 'available',
    contextTokens: 128_000,
    maxOutputTokens: 4_096,
    capabilities: ['vision', 'tools'],
    retiresAt: '2027-01-31T00:00:00.000Z',
    prices: {
      inputUsd: '3.00',
      outputUsd: '15.00',
      cacheReadUsd: '0.30',
      cacheWriteUsd: null,
      cacheWrite1hUsd: null,
      longInput: {
        aboveInputTokens: 200_000,
        inputUsd: '6.00',
        outputUsd: '22.50',
        cacheReadUsd: null,
        cacheWriteUsd: null,
        cacheWrite1hUsd: null,
      },
      rates: [],
    },
    planPrices: {
      inputUsd: '3.60',
      outputUsd: '18.00',
      cacheReadUsd: '0.36',
      cacheWriteUsd: null,
      cacheWrite1hUsd: null,
      longInput: {
        aboveInputTokens: 200_000,
        inputUsd: '7.20',
        outputUsd: '27.00',
        cacheReadUsd: null,
        cacheWriteUsd: null,
        cacheWrite1hUsd: null,
      },
    },
  });
  await sql`UPDATE plans SET is_prepaid = false WHERE id = (SELECT plan_id FROM accounts WHERE id = ${accountId})`;
  const free = await visitor.client.models.catalogue.query({ accountId });
  expect(free.models[0]?.planPrices).toMatchObject({ inputUsd: '0.00', outputUsd: '0.00' });
});
