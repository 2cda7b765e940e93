import { parseUsd } from '@tollgate/core/money/money';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { startTestApi, type TestApi } from '../../../src/testing/start-test-api.ts';
import { createHarness, PRICES, type Harness } from '../../gateway-fixture.ts';

/** A model of Anthropic's own API. */
export const CLAUDE = 'claude-sonnet-5';
/** A model of OpenAI that is sent tools in chat completions. */
export const CHAT = 'gpt-4.1';
/** A model of OpenAI that is sent tools in the Responses API. */
export const RESPONSES = 'gpt-5.4';
/** A Claude model of another host, which speaks the Messages API. */
export const HOSTED_CLAUDE = 'claude-opus-4-8';
/** A Claude model of a host that speaks chat completions with breakpoints. */
export const CHAT_CLAUDE = 'anthropic/claude-sonnet-5';
/** Models of custom servers. */
export const CUSTOM_MESSAGES = 'glm-5';
export const CUSTOM_CHAT = 'local-model';

/** A write costs more than plain input, as for Claude. */
export const CACHE_PRICES = { ...PRICES, cacheWriteNanoUsdPerMtok: 1_250_000_000n };

const PROVIDERS = [
  ['anthropic', 'anthropic-messages', [CLAUDE]],
  ['openai', 'openai-chat', [CHAT, RESPONSES]],
  [null, 'anthropic-messages', [HOSTED_CLAUDE, CUSTOM_MESSAGES]],
  ['openrouter', 'openai-chat', [CHAT_CLAUDE]],
  [null, 'openai-chat', [CUSTOM_CHAT]],
] as const;

export interface CacheHarness extends Harness {
  api: TestApi;
  /** A key of a new account that pays from a balance of 1,000 dollars. */
  openAccount(): Promise<string>;
}

/** The fixture with providers that cache prompts. */
export async function startCacheHarness(): Promise<CacheHarness> {
  const harness = await createHarness();
  const { db } = harness.database;
  for (const [preset, dialect, models] of PROVIDERS)
    await ensureBuiltIn(db, {
      name: `cached-${preset}-${dialect}`,
      dialect,
      baseUrl: `${harness.provider.origin}/v1`,
      credentialEnv: null,
      preset,
      models: models.map((id) => ({
        id,
        upstreamModel: null,
        facts: { maxOutputTokens: 8_192 },
        prices: CACHE_PRICES,
      })),
    });
  const api = await startTestApi({ db, runtime: 'node' });
  return {
    ...harness,
    api,
    async openAccount() {
      const { accountId } = await createAccountFixture(db, { planId: 'standard' });
      await creditBalance(db, { accountId, amountNanoUsd: parseUsd('1000') ?? 0n });
      return (await createKeyFixture(db, accountId)).secret;
    },
    async [Symbol.asyncDispose]() {
      await api.close();
      await harness[Symbol.asyncDispose]();
    },
  };
}
