import type { KeyScope } from '@tollgate/core/keys/key-scope';
import { parseUsd, type TokenUsage } from '@tollgate/core/money/money';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { listRefusals } from '@tollgate/dialects/model-rules/breaks-rules.fixture';
import {
  createCodingModel,
  type CodingModel,
  type CodingModelOptions,
} from '@tollgate/testing/coding-model/coding-model';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import type { ServedRequest } from '@tollgate/testing/fake-provider/served-request';
import { listOffers } from '@tollgate/upstreams/catalogue/model-catalogue';
import { startTestApi, type TestApi } from '../../../src/testing/start-test-api.ts';
import { createHarness, PRICES, type Harness } from '../../gateway-fixture.ts';

/** A model of Anthropic's own API. */
export const CLAUDE = 'claude-opus-4-8';
/** A model of OpenAI whose tools need the Responses API. */
export const RESPONSES = 'gpt-5.5';
/** A model of a server that speaks only chat completions. */
export const CHAT = 'gpt-4.1';
/** Other names of the first two. */
export const CLAUDE_ALIAS = 'team-writer';
export const RESPONSES_ALIAS = 'team-coder';

const PROVIDERS = [
  ['anthropic', 'anthropic-messages', { [CLAUDE]: CLAUDE, [CLAUDE_ALIAS]: CLAUDE }],
  ['openai', 'openai-chat', { [RESPONSES]: RESPONSES, [RESPONSES_ALIAS]: RESPONSES }],
  [null, 'openai-chat', { [CHAT]: CHAT }],
] as const;

interface Bill {
  cost: bigint;
  held: bigint;
  /** When the caller got the first byte of the answer, in ms since 1970. */
  firstByteAtMs: number;
}

export interface CodingHarness extends Harness {
  api: TestApi;
  model: CodingModel;
  /** An account with a balance, and its key. */
  openAccount(scope?: Partial<KeyScope>): Promise<{ accountId: string; keyId: string; secret: string }>;
  /** The settled requests of an account, in order of arrival. */
  readBills(accountId: string): Promise<Bill[]>;
}

/** The gateway with a coding agent's model behind each API, at the prices of the catalogue. */
export async function startCodingHarness(
  options: Pick<CodingModelOptions, 'getScript'> = {},
): Promise<CodingHarness> {
  const harness = await createHarness();
  const { db } = harness.database;
  for (const [preset, dialect, models] of PROVIDERS)
    await ensureBuiltIn(db, {
      name: `coding-${preset}`,
      dialect,
      baseUrl: `${harness.provider.origin}/v1`,
      credentialEnv: null,
      preset,
      models: Object.entries(models).map(([id, upstreamModel]) => ({
        ...getOffer(upstreamModel),
        id,
        upstreamModel,
      })),
    });
  await ensureBuiltIn(db, {
    name: 'demo',
    dialect: 'demo',
    baseUrl: null,
    credentialEnv: null,
    preset: null,
    models: [{ id: 'tollgate-demo', upstreamModel: null, facts: {}, prices: PRICES }],
  });
  const api = await startTestApi({ db, runtime: 'node' });
  const model = createCodingModel({ listRefusals, ...options });
  harness.provider.always(model.chat, { path: '/v1/chat/completions' });
  harness.provider.always(model.messages, { path: '/v1/messages' });
  harness.provider.always(model.responses, { path: '/v1/responses' });
  return {
    ...harness,
    api,
    model,
    async openAccount(scope = {}) {
      const { accountId } = await createAccountFixture(db, { planId: 'standard' });
      await creditBalance(db, { accountId, amountNanoUsd: parseUsd('1000') ?? 0n });
      const { secret, key } = await createKeyFixture(db, accountId, scope);
      return { accountId, secret, keyId: key.id };
    },
    async readBills(accountId) {
      await api.deps.ledger.flush();
      return db.sql<Bill[]>`
        SELECT cost_nano_usd AS cost, held_nano_usd AS held,
          extract(epoch FROM started_at)::double precision * 1000 + first_byte_ms AS "firstByteAtMs"
        FROM requests
        WHERE account_id = ${accountId} AND held_nano_usd > 0 ORDER BY started_at`;
    },
    async [Symbol.asyncDispose]() {
      await api.close();
      await harness[Symbol.asyncDispose]();
    },
  };
}

function getOffer(model: string) {
  const [offer] = listOffers(model);
  if (offer === undefined) throw new Error(`The catalogue has no ${model}`);
  return { facts: offer.facts, prices: offer.prices };
}

/** The provider's own bill for requests. */
export function getProviderBill(requests: readonly ServedRequest[]): bigint {
  return requests.reduce((sum, { usage, model }) => {
    if (usage === null || model === null) return sum;
    return sum + computeCost(usage, getOffer(model).prices);
  }, 0n);
}

/** What a request costs if the model generates all that it may. */
export function getMaximumCost({ body, usage, model }: ServedRequest): bigint {
  if (usage === null || model === null) throw new Error('The request has no answer');
  const { facts, prices } = getOffer(model);
  const { max_tokens, max_completion_tokens, max_output_tokens } = JSON.parse(body.toString()) as Record<
    string,
    number | undefined
  >;
  const most = max_tokens ?? max_completion_tokens ?? max_output_tokens ?? facts.maxOutputTokens ?? 0;
  return computeCost({ ...usage, outputTokens: most }, prices);
}

/** The share of the input that the provider read from its prompt cache. */
export function getCacheShare(requests: readonly ServedRequest[]): number {
  const usages = requests.flatMap(({ usage }): TokenUsage[] => (usage === null ? [] : [usage]));
  const read = usages.reduce((sum, { cacheReadTokens }) => sum + cacheReadTokens, 0);
  const all = usages.reduce((sum, usage) => sum + usage.inputTokens + usage.cacheWriteTokens, read);
  return all === 0 ? 0 : read / all;
}
