import { parseUsd } from '@tollgate/core/money/money';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { PRICES } from '../../gateway-fixture.ts';
import { startProviderGateway, type ProviderGateway } from '../../provider-gateway.ts';

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
  { name: 'cached-claude', dialect: 'anthropic-messages', preset: 'anthropic', models: [CLAUDE] },
  { name: 'cached-openai', dialect: 'openai-chat', preset: 'openai', models: [CHAT, RESPONSES] },
  {
    name: 'cached-messages',
    dialect: 'anthropic-messages',
    preset: null,
    models: [HOSTED_CLAUDE, CUSTOM_MESSAGES],
  },
  { name: 'cached-openrouter', dialect: 'openai-chat', preset: 'openrouter', models: [CHAT_CLAUDE] },
  { name: 'cached-chat', dialect: 'openai-chat', preset: null, models: [CUSTOM_CHAT] },
] as const;

export interface CacheHarness extends ProviderGateway {
  /** A key of a new account that pays from a balance of 1,000 dollars. */
  openAccount(): Promise<string>;
}

/** The fixture with providers that cache prompts. */
export async function startCacheHarness(): Promise<CacheHarness> {
  const gateway = await startProviderGateway(PROVIDERS, CACHE_PRICES);
  const { db } = gateway.database;
  return {
    ...gateway,
    async openAccount() {
      const { accountId } = await createAccountFixture(db, { planId: 'standard' });
      await creditBalance(db, { accountId, amountNanoUsd: parseUsd('1000') ?? 0n });
      return (await createKeyFixture(db, accountId)).secret;
    },
  };
}
