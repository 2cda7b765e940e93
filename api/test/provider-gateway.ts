import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import type { RateCard } from '@tollgate/core/money/rates/rate-card';
import { startTestApi, type TestApi } from '../src/testing/start-test-api.ts';
import { createHarness, PRICES, type Gateway } from './gateway-fixture.ts';

/** A provider with separate models, so that callers of another dialect get a translation. */
export interface TestProvider {
  name: string;
  dialect: 'openai-chat' | 'anthropic-messages' | 'openai-responses';
  preset: string | null;
  models: readonly string[];
}

export interface ProviderGateway extends Gateway {
  api: TestApi;
}

const FACTS = { maxOutputTokens: 8192 };

/** The fixture with further providers, all of them the fake provider, and a running api. */
export async function startProviderGateway(
  providers: readonly TestProvider[],
  prices: RateCard = PRICES,
): Promise<ProviderGateway> {
  const harness = await createHarness();
  const { db } = harness.database;
  for (const { models, ...provider } of providers)
    await ensureBuiltIn(db, {
      ...provider,
      baseUrl: `${harness.provider.origin}/v1`,
      credentialEnv: null,
      models: models.map((id) => ({ id, upstreamModel: null, facts: FACTS, prices })),
    });
  const api = await startTestApi({ db, runtime: 'node' });
  return {
    ...harness,
    api,
    baseUrl: api.baseUrl,
    async [Symbol.asyncDispose]() {
      await api.close();
      await harness[Symbol.asyncDispose]();
    },
  };
}
