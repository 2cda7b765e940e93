import type { KeyScope } from '@tollgate/core/keys/key-scope';
import { NO_RATES, type RateCard } from '@tollgate/core/money/rates/rate-card';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider, type FakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { startTestApi } from '../src/testing/start-test-api.ts';

/** The model of every fixture. */
export const MODEL = 'fake-model';

/** The prices of every model of the fixture. */
export const PRICES: RateCard = {
  inputNanoUsdPerMtok: 1_000_000_000n,
  outputNanoUsdPerMtok: 5_000_000_000n,
  cacheReadNanoUsdPerMtok: 100_000_000n,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
  rates: {
    ...NO_RATES,
    media: {
      audio_input: 2_000_000_000n,
      audio_output: 8_000_000_000n,
      image_input: 1_000_000_000n,
      image_output: 6_000_000_000n,
    },
    toolCalls: {
      web_search: 10_000_000_000n,
      web_fetch: 1_000_000_000n,
      code_execution: 5_000_000_000n,
      file_search: 2_000_000_000n,
      image_generation: 40_000_000_000n,
    },
  },
};

/** The fixture of one test file: a database, a priced fake provider of both dialects, an account and a key. */
export interface Harness extends AsyncDisposable {
  database: TestDatabase;
  provider: FakeProvider;
  accountId: string;
  /** A key of the account without limits. */
  secret: string;
  createKey(scope?: Partial<KeyScope>): Promise<{ keyId: string; secret: string }>;
}

/** A fixture with a running api. */
export interface Gateway extends Harness {
  /** Ends with `/v1`. */
  baseUrl: string;
}

/** Creates the fixture; every model is routed to the fake provider in both dialects. */
export async function createHarness(models: readonly string[] = [MODEL]): Promise<Harness> {
  const database = await createTestDatabase();
  const provider = await createFakeProvider({ models });
  for (const dialect of ['openai-chat', 'anthropic-messages'] as const) {
    await ensureBuiltIn(database.db, {
      name: `fake-${dialect}`,
      dialect,
      baseUrl: `${provider.origin}/v1`,
      credentialEnv: null,
      preset: null,
      models: models.map((id) => ({ id, upstreamModel: null, facts: {}, prices: PRICES })),
    });
  }
  const { accountId } = await createAccountFixture(database.db);
  const createKey = async (scope: Partial<KeyScope> = {}) => {
    const { key, secret } = await createKeyFixture(database.db, accountId, scope);
    return { keyId: key.id, secret };
  };
  const { secret } = await createKey();
  return {
    database,
    provider,
    accountId,
    secret,
    createKey,
    async [Symbol.asyncDispose]() {
      await provider.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Creates the fixture and starts the api on it, over real HTTP. */
export async function startGateway(
  options: { models?: readonly string[]; runtime?: 'node' | 'web' } = {},
): Promise<Gateway> {
  const harness = await createHarness(options.models);
  const api = await startTestApi({ db: harness.database.db, runtime: options.runtime ?? 'node' });
  return {
    ...harness,
    baseUrl: api.baseUrl,
    async [Symbol.asyncDispose]() {
      await api.close();
      await harness[Symbol.asyncDispose]();
    },
  };
}
