import type { RoutingStrategy } from '@tollgate/core/models/routing-policy';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { expect } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';

/** A gateway whose models have routes to two providers of the same priority. */
export async function startStrategyGateway() {
  const disposables = new AsyncDisposableStack();
  const database = disposables.use(await createTestDatabase());
  const { sql } = database.db;
  const first = disposables.use(await createFakeProvider());
  const second = disposables.use(await createFakeProvider());
  for (const [name, { origin }] of Object.entries({ first, second }))
    await sql`INSERT INTO providers (id, name, dialect, base_url)
      VALUES (${`prov_${name}`}, ${name}, 'openai-chat', ${`${origin}/v1`})`;
  const { accountId } = await createAccountFixture(database.db);
  const { secret } = await createKeyFixture(database.db, accountId, {});
  const { accountId: otherId } = await createAccountFixture(database.db);
  const { secret: otherSecret } = await createKeyFixture(database.db, otherId, {});
  const api = await startTestApi({ db: database.db, runtime: 'node', attempts: 3 });
  disposables.defer(() => api.close());
  let models = 0;

  /** Adds a model, of whose routes nothing is known yet. @param costs parts per million, of the first and second route */
  const addModel = async (strategy: RoutingStrategy, costs = [1_000_000, 1_000_000]) => {
    models += 1;
    const id = `model-${models}`;
    await sql`INSERT INTO models (id, strategy) VALUES (${id}, ${strategy})`;
    await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok,
        cache_read_nano_usd_per_mtok, effective_from)
      VALUES (${id}, 1000000000, 2000000000, 100000000, now() - interval '1 minute')`;
    for (const [at, name] of ['first', 'second'].entries())
      await sql`INSERT INTO routes (id, model_id, provider_id, cost_ppm)
        VALUES (${`route_${id}_${name}`}, ${id}, ${`prov_${name}`}, ${costs[at] ?? 1_000_000})`;
    await api.deps.catalogue.load();
    return id;
  };

  /** @param options `isOther`: of another account @returns the response, read to its end, and the milliseconds to its first byte */
  const ask = async (
    model: string,
    options: { stream?: boolean; session?: string; text?: string; isOther?: boolean } = {},
  ) => {
    const { stream = false, session, text = 'Say hello.', isOther = false } = options;
    const headers = session === undefined ? {} : { 'x-session-id': session };
    const startMs = performance.now();
    const messages = [{ role: 'user', content: text }];
    const response = await post(
      `${api.baseUrl}/chat/completions`,
      { model, messages, stream },
      { secret: isOther ? otherSecret : secret, headers },
    );
    const firstMs = performance.now() - startMs;
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    return { response, firstMs };
  };

  const findRecord = async ({ response }: { response: Response }) => {
    const id = response.headers.get('x-request-id');
    const find = () => sql<{ provider: string; choice: string | null; cost: string }[]>`
      SELECT provider, route_choice AS choice, cost_nano_usd::text AS cost FROM requests
      WHERE id = ${id} AND status IS NOT NULL`;
    await expect.poll(async () => (await find()).length).toBe(1);
    const [record] = await find();
    return record ?? { provider: '', choice: null, cost: '' };
  };

  return {
    api,
    first,
    second,
    secrets: [secret, otherSecret] as const,
    sql,
    addModel,
    ask,
    findRecord,
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
}
