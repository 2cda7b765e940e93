import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import type { FallbackClass } from '@tollgate/core/models/fallback-model';
import type { KeyScope } from '@tollgate/core/keys/key-scope';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider, type FakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { expect } from 'vitest';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { TESTED_ENDPOINTS, type TestedEndpoint } from '../tested-endpoints.ts';

/** A model of a test. In nano-dollars per token. */
interface ModelInput {
  provider?: 'chat' | 'claude';
  inputPrice?: number;
  outputPrice?: number;
  contextTokens?: number;
  maxOutputTokens?: number;
  firstTokenMs?: number;
  capabilities?: readonly string[];
  isUnpriced?: boolean;
}

interface StoredRequest {
  model: string;
  requested: string | null;
  provider: string;
  cost: string;
  input: number;
  output: number;
  priceModel: string;
  attempts: { model: string; provider: string; outcome: string }[] | null;
}

/** The api loads a change of the catalogue when it is notified; a second load could restore the previous state. */
const LOADED = { interval: 5 };

/** The endpoint of tests for which any one is enough. */
export const CHAT = getChat();

function getChat(): TestedEndpoint {
  const chat = TESTED_ENDPOINTS.find(({ dialect }) => dialect === 'openai-chat');
  if (chat === undefined) throw new Error('Chat completions are not tested');
  return chat;
}

/** A provider of each dialect behind a gateway, with a prepaid account. */
export interface FallbackGateway extends AsyncDisposable {
  api: TestApi;
  chat: FakeProvider;
  claude: FakeProvider;
  /** Of an account that pays. */
  secret: string;
  accountId: string;
  createKey: (scope?: Partial<KeyScope>) => Promise<string>;
  /** @returns its id, which no other test uses */
  addModel: (input?: ModelInput) => Promise<string>;
  addFallback: (model: string, fallback: string, classes?: readonly FallbackClass[]) => Promise<void>;
  ask: (endpoint: TestedEndpoint, model: string, options?: AskOptions) => Promise<Response>;
  /** The record of a request that has ended. */
  findRecord: (response: Response) => Promise<StoredRequest>;
  /** What does not add up in the ledger. */
  verify: () => Promise<unknown>;
}

interface AskOptions {
  stream?: boolean;
  secret?: string;
  headers?: Record<string, string>;
  body?: object;
}

export async function createFallbackGateway(): Promise<FallbackGateway> {
  const database = await createTestDatabase();
  const { db } = database;
  const { sql } = db;
  const chat = await createFakeProvider();
  const claude = await createFakeProvider();
  await sql`INSERT INTO providers (id, name, dialect, base_url) VALUES
    ('prov_chat', 'chat', 'openai-chat', ${`${chat.origin}/v1`}),
    ('prov_claude', 'claude', 'anthropic-messages', ${`${claude.origin}/v1`})`;
  const { accountId } = await createAccountFixture(db, { planId: 'standard' });
  await creditBalance(db, { accountId, amountNanoUsd: 1_000_000_000_000n });
  const createKey = async (scope: Partial<KeyScope> = {}) =>
    (await createKeyFixture(db, accountId, scope)).secret;
  const secret = await createKey();
  const api = await startTestApi({ db, runtime: 'node', tickMs: 20 });
  let serial = 0;

  const addModel: FallbackGateway['addModel'] = async (input = {}) => {
    const { provider = 'chat', inputPrice = 1_000, outputPrice = 2_000, isUnpriced = false } = input;
    const { contextTokens = null, maxOutputTokens = null, firstTokenMs = null, capabilities = [] } = input;
    const id = `model-${(serial += 1)}`;
    await sql`INSERT INTO models (id, context_tokens, max_output_tokens, first_token_timeout_ms, capabilities)
      VALUES (${id}, ${contextTokens}, ${maxOutputTokens}, ${firstTokenMs}, ${[...capabilities]})`;
    if (!isUnpriced)
      await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
        VALUES (${id}, ${inputPrice * 1_000_000}, ${outputPrice * 1_000_000}, now() - interval '1 minute')`;
    await sql`INSERT INTO routes (id, model_id, provider_id, upstream_model)
      VALUES (${`route_${id}`}, ${id}, ${`prov_${provider}`}, ${`upstream-of-${id}`})`;
    await expect.poll(() => api.deps.catalogue.current.get(id)?.routes.length, LOADED).toBe(1);
    return id;
  };

  return {
    api,
    chat,
    claude,
    secret,
    accountId,
    createKey,
    addModel,
    addFallback: async (model, fallback, classes = ['failure', 'context']) => {
      await sql`INSERT INTO model_fallbacks (model_id, fallback_id, position, classes) VALUES (${model}, ${fallback},
        (SELECT count(*) FROM model_fallbacks WHERE model_id = ${model}), ${[...classes]})`;
      const isLoaded = () =>
        api.deps.catalogue.current.get(model)?.fallbacks.some(({ modelId }) => modelId === fallback);
      await expect.poll(isLoaded, LOADED).toBe(true);
    },
    ask: (endpoint, model, options = {}) => {
      const said = { role: 'user', content: 'Say hello.' };
      const body =
        endpoint.dialect === 'openai-responses'
          ? { input: [said], max_output_tokens: 50 }
          : { messages: [said], max_tokens: 50 };
      return fetch(api.baseUrl + endpoint.path, {
        method: 'POST',
        headers: { ...endpoint.headers(options.secret ?? secret), ...options.headers },
        body: JSON.stringify({ model, ...body, stream: options.stream ?? false, ...options.body }),
      });
    },
    findRecord: async (response) => {
      const id = response.headers.get('x-request-id');
      const find = () => sql<StoredRequest[]>`
        SELECT r.model, r.requested_model AS requested, r.provider, r.cost_nano_usd::text AS cost,
          r.input_tokens AS input, r.output_tokens AS output, p.model_id AS "priceModel", r.attempts
        FROM requests r LEFT JOIN model_prices p ON p.id = r.price_id
        WHERE r.id = ${id} AND r.state = 'settled'`;
      await expect.poll(async () => (await find()).length).toBe(1);
      const [record] = await find();
      if (record === undefined) throw new Error('The request has no record');
      return record;
    },
    verify: async () => (await verifyLedger(db, { recompute: null })).findings,
    [Symbol.asyncDispose]: async () => {
      await api.close();
      for (const each of [chat, claude, database]) await each[Symbol.asyncDispose]();
    },
  };
}
