/** What providers are sent so that they cache prompts. */
import { NO_USAGE } from '@tollgate/core/money/money';
import { boundInputTokens } from '@tollgate/dialects/input-tokens/bound-input-tokens';
import { createInputTraits } from '@tollgate/dialects/input-traits';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { post } from '../../../src/testing/call-api.ts';
import { createChatAgent, createClaudeCode, createCodex } from './agent-clients.ts';
import {
  CHAT,
  CHAT_CLAUDE,
  CLAUDE,
  CUSTOM_CHAT,
  CUSTOM_MESSAGES,
  HOSTED_CLAUDE,
  RESPONSES,
  startCacheHarness,
  type CacheHarness,
} from './cache-harness.ts';

/** A body that is read and translated by threads. */
const LARGE_BYTES = 200_000;
const BILLING = 'x-anthropic-billing-header';
const MARK = { cache_control: { type: 'ephemeral' } };

let harness: CacheHarness;
beforeAll(async () => {
  harness = await startCacheHarness();
});
beforeEach(() => harness.provider.reset());
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
});

interface SentBody {
  system?: { text: string }[];
  instructions?: string;
  prompt_cache_key?: string;
}

interface Sent {
  text: string;
  body: SentBody;
  marks: number;
  dropped: string[];
  requestId: string | null;
}

async function send(
  path: string,
  body: object,
  { secret = harness.secret, headers = {} }: { secret?: string; headers?: Record<string, string> } = {},
): Promise<Sent> {
  const { provider, api } = harness;
  if (provider.requests.length === 0)
    provider.always(
      { replay: { body: RESPONSE, contentType: 'application/json' } },
      { path: '/v1/responses' },
    );
  const response = await post(api.baseUrl + path, body, { secret, headers });
  expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 });
  const text = provider.requests.at(-1)?.body.toString() ?? '';
  return {
    text,
    body: JSON.parse(text) as SentBody,
    marks: text.split('"cache_control"').length - 1,
    dropped: response.headers.get('x-tollgate-dropped-params')?.split(',') ?? [],
    requestId: response.headers.get('x-request-id'),
  };
}

const RESPONSE = JSON.stringify({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: RESPONSES,
  output: [{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [] }],
  usage: { input_tokens: 5, output_tokens: 5, total_tokens: 10 },
});

const chat = (content: unknown, more: object = {}) => ({
  model: CLAUDE,
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content },
  ],
  ...more,
});
const withTools = (count: number, more: object = {}) => ({
  model: CLAUDE,
  input: 'Hello',
  tools: Array.from({ length: count }, (_, at) => ({ type: 'custom', name: `t${at}` })),
  ...more,
});
const withLength = (bytes: number) => 'word '.repeat(bytes / 5);

describe('cache breakpoints for Claude', () => {
  it.each([CLAUDE, HOSTED_CLAUDE])("are placed in an agent's first request: %s", async (model) => {
    expect((await send('/chat/completions', createChatAgent(model).getBody(0))).marks).toBe(3);
    const codex = createCodex(model);
    const { marks, dropped } = await send('/responses', codex.getBody(0), { headers: codex.headers });
    expect(marks).toBe(3);
    expect(dropped).not.toContain('prompt_cache_key');
  });

  it('are placed in chat completions for a host that takes them there', async () => {
    const first = createChatAgent(CHAT_CLAUDE).getBody(0);
    expect((await send('/chat/completions', first)).marks).toBe(2);
    const large = chat(withLength(LARGE_BYTES), { model: CHAT_CLAUDE, prompt_cache_key: 'k' });
    expect((await send('/chat/completions', large)).marks).toBe(1);
    const single = chat(withLength(20_000), { model: CHAT_CLAUDE });
    expect((await send('/chat/completions', single)).text).toBe(JSON.stringify(single));
  });

  it('are the same in a body that threads translate', async () => {
    const small = chat(withLength(20_000), { prompt_cache_key: 'k' });
    const large = chat(withLength(LARGE_BYTES), { prompt_cache_key: 'k' });
    const without = (text: string) => text.replaceAll('word ', '');
    expect(without((await send('/chat/completions', large)).text)).toBe(
      without((await send('/chat/completions', small)).text),
    );
    const secret = await harness.openAccount();
    const held = await send('/chat/completions', large, { secret });
    expect(held.marks).toBe(1);
    expect(held.dropped).not.toContain('prompt_cache_key');
  });

  it.each<[string, object]>([
    ['to a single request', chat(withLength(20_000))],
    ['to a short request', chat('Hi', { prompt_cache_key: 'k' })],
    [
      'if the caller chooses what is cached',
      chat(withLength(20_000), { prompt_cache_key: 'k', prompt_cache_options: { mode: 'explicit' } }),
    ],
  ])('are not added %s', async (_, body) => {
    expect((await send('/chat/completions', body)).marks).toBe(0);
  });

  it("are not added to the caller's own", async () => {
    const own = [
      { type: 'text', text: withLength(20_000), ...MARK },
      { type: 'text', text: 'What is this?' },
    ];
    const { marks, text } = await send('/chat/completions', chat(own, { prompt_cache_key: 'k' }));
    expect(marks).toBe(1);
    expect(text).toContain('"cache_control":{"type":"ephemeral"}},{"type":"text","text":"What is this?"}');
  });

  it('are not added for other models', async () => {
    const body = { ...chat(withLength(20_000), { prompt_cache_key: 'k' }), model: CUSTOM_MESSAGES };
    expect(await send('/chat/completions', body)).toMatchObject({ marks: 0, dropped: ['prompt_cache_key'] });
  });

  const CUSTOM_TOOL_BYTES = 400;
  it.each([
    ['a long request', '/chat/completions', chat(withLength(20_000), { prompt_cache_key: 'k' }), 0],
    // They are longer for Claude than for the caller.
    ['many short tools', '/responses', withTools(20, { prompt_cache_key: 'k' }), 20 * CUSTOM_TOOL_BYTES],
  ])(
    'of %s are covered by the hold, even if all input is written to the cache',
    async (_, path, given, added) => {
      const secret = await harness.openAccount();
      const body = { ...given, [path === '/responses' ? 'max_output_tokens' : 'max_tokens']: 16 };
      const { hasUnboundedInput, mediaParts } = createInputTraits();
      const most = boundInputTokens({
        bodyBytes: JSON.stringify(body).length,
        request: { hasUnboundedInput, mediaParts, addedToolBytes: added, maxOutputTokens: 16 },
        contextTokens: null,
      });
      const usage = { ...NO_USAGE, cacheWriteTokens: most, outputTokens: 16 };
      harness.provider.next({ answer: { text: 'Hi', usage } });
      const { requestId, marks } = await send(path, body, { secret });
      expect(marks).toBeGreaterThan(0);
      await harness.api.deps.ledger.flush();
      const [row] = await harness.database.db.sql<{ held: bigint; cost: bigint }[]>`
      SELECT held_nano_usd AS held, cost_nano_usd AS cost FROM requests WHERE id = ${requestId}`;
      expect(row?.cost).toBe(BigInt(most) * 1_250n + 16n * 5_000n);
      expect(row?.held).toBeGreaterThanOrEqual(row?.cost ?? 0n);
    },
  );
});

describe("Claude Code's billing header", () => {
  it.each([CHAT, RESPONSES, CUSTOM_CHAT, HOSTED_CLAUDE, CUSTOM_MESSAGES])(
    'is not sent to %s',
    async (model) => {
      const client = createClaudeCode(model);
      const first = await send(client.path, client.getBody(0));
      expect(first.text).not.toContain(BILLING);
      expect(first.text).toContain('You are Claude Code.');
      expect(first.dropped).toContain(BILLING);
      expect((await send(client.path, client.getBody(1))).text).toBe(first.text);
    },
  );

  it("is sent to Anthropic's own API", async () => {
    const client = createClaudeCode(CLAUDE);
    const { body, dropped } = await send(client.path, client.getBody(0));
    expect(body.system?.[0]?.text).toContain(BILLING);
    expect(dropped).toEqual([]);
  });

  it('is taken out of a large body in the same way', async () => {
    for (const model of [CHAT, HOSTED_CLAUDE]) {
      const body = createClaudeCode(model).getBody(0);
      const messages = [{ role: 'user', content: withLength(LARGE_BYTES) }];
      const { text, dropped } = await send('/messages', { ...body, messages });
      expect(text).not.toContain(BILLING);
      expect(dropped).toContain(BILLING);
    }
  });
});

describe("Claude Code's session", () => {
  const getKey = async (model: string, secret: string, headers: Record<string, string> = {}) => {
    const client = createClaudeCode(model);
    const { body, dropped } = await send(client.path, client.getBody(0), { secret, headers });
    expect(dropped).not.toContain('prompt_cache_key');
    return body.prompt_cache_key ?? null;
  };

  it.each([CHAT, RESPONSES])('is the cache key of %s, which differs between accounts', async (model) => {
    const secret = await harness.openAccount();
    const key = await getKey(model, secret);
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(await getKey(model, secret)).toBe(key);
    expect(await getKey(model, await harness.openAccount())).not.toBe(key);
    expect(await getKey(model, secret, { 'x-claude-code-session-id': 'another' })).not.toBe(key);
  });

  it('is not sent to a custom server, which may refuse the member', async () => {
    expect(await getKey(CUSTOM_CHAT, harness.secret)).toBeNull();
  });

  it('is not the key of a user of another program', async () => {
    const body = { ...createClaudeCode(CHAT).getBody(0), metadata: { user_id: 'user-1' } };
    expect((await send('/messages', body)).body.prompt_cache_key).toBeUndefined();
  });
});
