import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import { createCachingModel } from '@tollgate/testing/fake-provider/prompt-cache/caching-model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { post } from '../../../src/testing/call-api.ts';
import { createChatAgent, createClaudeCode, createCodex, type AgentClient } from './agent-clients.ts';
import {
  CACHE_PRICES,
  CHAT,
  CLAUDE,
  RESPONSES,
  startCacheHarness,
  type CacheHarness,
} from './cache-harness.ts';

const TURNS = 40;
/** Between two requests of an agent. */
const TURN_MS = 20_000;
/** Of the input that is read from the cache, compared with the same conversation in the provider's own dialect. */
const LEAST_SHARE = 0.9;

let harness: CacheHarness;
beforeAll(async () => {
  harness = await startCacheHarness();
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
});

/** Holds a conversation with models whose caches are empty. @returns the share of the input that they read from their caches */
async function converse(client: AgentClient): Promise<number> {
  const { provider, api, database } = harness;
  provider.reset();
  let nowMs = 0;
  let turn = 0;
  // Every fifth response is text, and the user goes on.
  const model = createCachingModel({ now: () => nowMs, isText: () => turn % 5 === 4 });
  provider.always(model.chat, { path: '/v1/chat/completions' });
  provider.always(model.messages, { path: '/v1/messages' });
  provider.always(model.responses, { path: '/v1/responses' });
  const secret = await harness.openAccount();
  let billed = 0n;
  for (; turn < TURNS; turn += 1) {
    nowMs += TURN_MS;
    const { path, headers } = client;
    const response = await post(api.baseUrl + path, client.getBody(turn), { secret, headers });
    const text = await response.text();
    expect({ status: response.status, text }).toMatchObject({ status: 200 });
    client.takeResponse(text, turn);
    await api.deps.ledger.flush();
    const [row] = await database.db.sql<{ held: bigint; cost: bigint }[]>`
      SELECT held_nano_usd AS held, cost_nano_usd AS cost FROM requests
      WHERE id = ${response.headers.get('x-request-id')}`;
    expect(row?.cost).toBeLessThanOrEqual(row?.held ?? 0n);
    billed += row?.cost ?? 0n;
  }
  const usages = provider.requests.flatMap(({ usage }) => (usage === null ? [] : [usage]));
  expect(usages).toHaveLength(TURNS);
  expect(billed).toBe(usages.reduce((sum, usage) => sum + computeCost(usage, CACHE_PRICES), 0n));
  const read = usages.reduce((sum, { cacheReadTokens }) => sum + cacheReadTokens, 0);
  const others = usages.reduce((sum, usage) => sum + usage.inputTokens + usage.cacheWriteTokens, 0);
  return read / (read + others);
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

describe('an agent with 40 turns', () => {
  it.each([
    ['chat → Claude', () => createChatAgent(CLAUDE), () => createClaudeCode(CLAUDE)],
    ['responses → Claude', () => createCodex(CLAUDE), () => createClaudeCode(CLAUDE)],
    ['messages → chat', () => createClaudeCode(CHAT), () => createChatAgent(CHAT)],
    ['messages → responses', () => createClaudeCode(RESPONSES), () => createCodex(RESPONSES)],
  ])(
    'reads as much from the cache as in the dialect of its provider, and pays what the provider meters: %s',
    async (name, createTranslated, createNative) => {
      const native = await converse(createNative());
      const translated = await converse(createTranslated());
      const ratio = translated / native;
      process.stdout.write(
        `${name}: ${percent(translated)} of the input is read from the cache, natively ${percent(native)}, ratio ${ratio.toFixed(3)}\n`,
      );
      expect(native).toBeGreaterThan(0.7);
      expect(ratio).toBeGreaterThanOrEqual(LEAST_SHARE);
    },
    60_000,
  );
});
