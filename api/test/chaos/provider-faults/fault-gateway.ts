import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider, type FakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { DEFAULT_RETRY } from '@tollgate/upstreams/routing/retry-policy';
import { startTestApi } from '../../../src/testing/start-test-api.ts';
import type { Profile } from './profile.ts';

/** A gateway with models that each have a faulty provider and a second one that works. */
export interface FaultGateway extends AsyncDisposable {
  /** Ends with `/v1`. */
  baseUrl: string;
  secret: string;
  provider: FakeProvider;
}

/** The names of one model at its two providers. */
export const getPrimary = (model: string) => `primary-${model}`;
export const getFallback = (model: string) => `fallback-${model}`;

/** A model that has no faulty provider. */
export const HEALTHY = 'healthy';

export async function startFaultGateway(
  models: readonly { id: string; hasLargerContext: boolean }[],
  { timeouts, breaker, firstTokenMs }: Profile,
): Promise<FaultGateway> {
  const database = await createTestDatabase();
  const { sql } = database.db;
  const provider = await createFakeProvider();
  for (const name of ['primary', 'fallback'])
    await sql`INSERT INTO providers (id, name, dialect, base_url)
      VALUES (${`prov_${name}`}, ${name}, 'openai-chat', ${`${provider.origin}/v1`})`;
  const addRoute = async (
    id: string,
    name: 'primary' | 'fallback',
    { upstreamModel, contextTokens = null }: { upstreamModel: string; contextTokens?: number | null },
  ) => {
    await sql`INSERT INTO routes (id, model_id, provider_id, priority, upstream_model, context_tokens)
      VALUES (${`route_${id}_${name}`}, ${id}, ${`prov_${name}`}, ${name === 'primary' ? 0 : 1}, ${upstreamModel}, ${contextTokens})`;
  };
  const addModel = async (id: string, hasLargerContext = false) => {
    await sql`INSERT INTO models (id, first_token_timeout_ms, continue_streams)
      VALUES (${id}, ${firstTokenMs}, true)`;
    await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
      VALUES (${id}, 1000000000, 2000000000, now() - interval '1 minute')`;
    const contextTokens = hasLargerContext ? 1_000_000 : null;
    await addRoute(id, 'fallback', { upstreamModel: getFallback(id), contextTokens });
  };
  await addModel(HEALTHY);
  for (const { id, hasLargerContext } of models) {
    await addModel(id, hasLargerContext);
    await addRoute(id, 'primary', { upstreamModel: getPrimary(id) });
  }
  const { accountId } = await createAccountFixture(database.db);
  const { secret } = await createKeyFixture(database.db, accountId, {});
  const api = await startTestApi({
    db: database.db,
    runtime: 'node',
    timeouts,
    attempts: DEFAULT_RETRY.attempts,
    breaker,
  });
  return {
    baseUrl: api.baseUrl,
    secret,
    provider,
    async [Symbol.asyncDispose]() {
      await api.close();
      await provider.close();
      await database[Symbol.asyncDispose]();
    },
  };
}
