import { addRoute } from '@tollgate/db/queries/catalogue/routes';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { listLostCacheReads } from '@tollgate/db/queries/ledger/lost-cache-reads';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider, type FakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { OpenAiPrefixCache } from '@tollgate/testing/fake-provider/prompt-cache/openai-prefix-cache';
import type { ServedRequest } from '@tollgate/testing/fake-provider/served-request';
import { describe, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { PRICES } from '../gateway-fixture.ts';

const MODEL = 'shared-model';
const PROVIDERS = ['first', 'second', 'third'] as const;
const CONVERSATIONS = 12;
const TURNS = 8;
const LEAST_SHARE = 0.95;

/** Long enough for a prompt cache; each conversation has its own first message. */
const INSTRUCTIONS = 'You work on a large repository. '.repeat(200);

type Message = { role: 'system' | 'user' | 'assistant'; content: string };
interface Conversation {
  name: string;
  messages: Message[];
}

function openConversations(prefix: string): Conversation[] {
  return Array.from({ length: CONVERSATIONS }, (_, at) => ({
    name: `${prefix}${at}`,
    messages: [
      { role: 'system', content: INSTRUCTIONS },
      { role: 'user', content: `Task ${prefix}${at}: ${`word${at} `.repeat(400)}` },
    ],
  }));
}

/** Names the session as a client does, or not at all. */
type Naming = (name: string) => { body?: object; headers?: Record<string, string> };

const NAMINGS: [string, Naming][] = [
  ['by nothing but their first messages', () => ({})],
  ['by prompt_cache_key', (name) => ({ body: { prompt_cache_key: name } })],
  ['by x-session-id', (name) => ({ headers: { 'x-session-id': name } })],
  ['by metadata.user_id', (name) => ({ body: { metadata: { user_id: name } } })],
];

/** Three providers with a prompt cache each, one model that has a route to all of them, and two replicas. */
async function start() {
  const disposables = new AsyncDisposableStack();
  const database = disposables.use(await createTestDatabase());
  const providers: FakeProvider[] = [];
  for (const name of PROVIDERS) {
    const provider = disposables.use(await createFakeProvider({ models: [MODEL] }));
    const cache = new OpenAiPrefixCache(() => 0);
    provider.always(({ body }) => ({
      answer: {
        text: 'Done.',
        usage: { ...cache.read(body), cacheWrite1hTokens: 0, outputTokens: 2 },
      },
    }));
    providers.push(provider);
    await ensureBuiltIn(database.db, {
      name,
      dialect: 'openai-chat',
      baseUrl: `${provider.origin}/v1`,
      credentialEnv: null,
      preset: null,
      models: name === 'first' ? [{ id: MODEL, upstreamModel: null, facts: {}, prices: PRICES }] : [],
    });
    const route = { modelId: MODEL, providerName: name, upstreamModel: null, priority: 0, weight: 1 };
    if (name !== 'first') await addRoute(database.db, route);
  }
  const { accountId } = await createAccountFixture(database.db);
  const { secret } = await createKeyFixture(database.db, accountId);
  const options = { db: database.db, runtime: 'node', attempts: 3 } as const;
  const replicas = [await startTestApi(options), await startTestApi(options)];
  for (const replica of replicas) disposables.defer(() => replica.close());

  let sent = 0;
  const takeTurn = async ({ name, messages }: Conversation, naming: Naming) => {
    const { body, headers = {} } = naming(name);
    sent += 1;
    const { baseUrl = '' } = replicas[sent % replicas.length] ?? {};
    const request = { model: MODEL, messages, ...body };
    const response = await post(`${baseUrl}/chat/completions`, request, { secret, headers });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    messages.push(
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: `Next: ${'more '.repeat(200)}` },
    );
  };
  return {
    providers,
    database,
    replicas,
    served: () =>
      providers.flatMap(({ requests }) => requests).toSorted((a, b) => a.receivedAtMs - b.receivedAtMs),
    takeTurn,
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
}

const readTokens = (served: readonly ServedRequest[]) =>
  served.reduce((sum, { usage }) => sum + (usage?.cacheReadTokens ?? 0), 0);

/** What one provider would have read from its cache if it had got all of these requests. */
function possibleTokens(served: readonly ServedRequest[], before: readonly ServedRequest[] = []): number {
  const cache = new OpenAiPrefixCache(() => 0);
  const read = ({ body }: ServedRequest) => cache.read(JSON.parse(body.toString())).cacheReadTokens;
  before.forEach(read);
  return served.reduce((sum, request) => sum + read(request), 0);
}

describe('conversations on a model with three routes, over two replicas', () => {
  it.each(NAMINGS)('read from prompt caches what is possible, named %s', async (_, naming) => {
    await using harness = await start();
    const conversations = openConversations('c');
    for (let turn = 0; turn < TURNS; turn += 1)
      for (const conversation of conversations) await harness.takeTurn(conversation, naming);
    // The conversations are spread: their common instructions are read by each provider once more.
    expect(harness.providers.filter(({ requests }) => requests.length > 0).length).toBeGreaterThan(1);
    const served = harness.served();
    expect(served).toHaveLength(CONVERSATIONS * TURNS);
    expect(readTokens(served) / possibleTokens(served)).toBeGreaterThanOrEqual(LEAST_SHARE);
    for (const { deps } of harness.replicas) await deps.ledger.flush();
    expect(await listLostCacheReads(harness.database.db, new Date(0))).toEqual([]);
  });

  it('do so after one route is lost, and are counted as moved', async () => {
    await using harness = await start();
    const conversations = openConversations('l');
    const naming: Naming = () => ({});
    for (let turn = 0; turn < 4; turn += 1)
      for (const conversation of conversations) await harness.takeTurn(conversation, naming);
    const [lost] = harness.providers.toSorted((a, b) => b.requests.length - a.requests.length);
    const moved = new Set(lost?.requests.map(({ body }) => findTask(body))).size;
    expect(moved).toBeGreaterThan(0);
    await lost?.close();
    // One turn to move.
    for (const conversation of conversations) await harness.takeTurn(conversation, naming);
    const before = harness.served();
    for (let turn = 0; turn < 8; turn += 1)
      for (const conversation of conversations) await harness.takeTurn(conversation, naming);
    const after = harness.served().slice(before.length);
    expect(after).toHaveLength(8 * CONVERSATIONS);
    expect(readTokens(after) / possibleTokens(after, before)).toBeGreaterThanOrEqual(LEAST_SHARE);
    for (const { deps } of harness.replicas) await deps.ledger.flush();
    const [loss] = await listLostCacheReads(harness.database.db, new Date(0));
    expect(loss).toMatchObject({ model: MODEL, changes: moved });
    expect(loss?.costNanoUsd).toBeGreaterThan(0n);
  });
});

function findTask(body: Buffer): string | undefined {
  return /Task (l\d+)/.exec(body.toString())?.[1];
}
