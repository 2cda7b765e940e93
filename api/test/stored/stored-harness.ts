import { keepStored } from '@tollgate/db/queries/retention/retention-setting';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import OpenAI from 'openai';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, PRICES, type Harness } from '../gateway-fixture.ts';
import { NATIVE, startNativeProvider } from '../native-provider.ts';
import type { ResponsesProvider } from '../sdk/responses-provider.ts';

/** A model whose provider does not. */
export const TRANSLATED = 'translated-model';

/** Of the installation. */
export const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');

export interface StoredHarness extends AsyncDisposable {
  harness: Harness;
  native: ResponsesProvider;
  /** Two replicas of one installation. */
  apis: readonly [TestApi, TestApi];
  /** A client of an account that stores its responses; of the first replica by default. */
  client: OpenAI;
  createClient: (secret: string, replica?: 0 | 1) => OpenAI;
  /** The bodies that a model's provider got, the newest last. */
  listSent: (model: string) => JsonObject[];
  createAccount: (
    retentionDays: number | null,
  ) => Promise<{ accountId: string; secret: string; userId: string }>;
}

export async function startStoredHarness(): Promise<StoredHarness> {
  const harness = await createHarness();
  const { db } = harness.database;
  const native = await startNativeProvider(db);
  await ensureBuiltIn(db, {
    name: 'translated',
    dialect: 'openai-chat',
    baseUrl: `${harness.provider.origin}/v1`,
    credentialEnv: null,
    preset: null,
    models: [{ id: TRANSLATED, upstreamModel: MODEL, facts: {}, prices: PRICES }],
  });
  const start = () =>
    startTestApi({ db, runtime: 'node', encryptionKey: ENCRYPTION_KEY, drainAfterDisconnectMs: 10_000 });
  const apis = [await start(), await start()] as const;
  const createClient = (secret: string, replica: 0 | 1 = 0) =>
    new OpenAI({ baseURL: apis[replica].baseUrl, apiKey: secret, maxRetries: 0 });
  const createAccount = async (retentionDays: number | null) => {
    const { accountId, user } = await createAccountFixture(db);
    if (retentionDays !== null)
      await keepStored(db, 'responses', { accountId, actorUserId: user.id, retentionDays, now: new Date(0) });
    const { secret } = await createKeyFixture(db, accountId);
    return { accountId, secret, userId: user.id };
  };
  const { secret } = await createAccount(30);
  return {
    harness,
    native,
    apis,
    client: createClient(secret),
    createClient,
    createAccount,
    listSent: (model) =>
      model === NATIVE
        ? native.seen.map((seen) => ({ ...seen }))
        : harness.provider.requests.map(({ body }) => parseJsonObject(body.toString()) ?? {}),
    async [Symbol.asyncDispose]() {
      for (const api of apis) await api.close();
      await native[Symbol.asyncDispose]();
      await harness[Symbol.asyncDispose]();
    },
  };
}

/** Creates a response, streamed or not. @returns the response as the caller has it in the end */
export async function createResponse(
  caller: OpenAI,
  body: OpenAI.Responses.ResponseCreateParams,
  isStream: boolean,
) {
  if (!isStream) return caller.responses.create({ ...body, stream: false });
  const ids = new Set<string>();
  let last: OpenAI.Responses.Response | null = null;
  for await (const event of await caller.responses.create({ ...body, stream: true })) {
    if (!('response' in event)) continue;
    ids.add(event.response.id);
    last = event.response;
  }
  if (last === null || ids.size !== 1) throw new Error('The stream has not one response');
  return last;
}
/** Members that the types of the SDK lack. */
export const readFlags = (response: OpenAI.Responses.Response) => response as unknown as { store?: boolean };
