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
});
