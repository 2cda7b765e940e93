/** What a provider gets obeys the rules of the route's model, whatever the model is called in the request. */
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, PRICES, type Harness } from '../gateway-fixture.ts';

/** Each provider has one model, which requests know by another name. */
const PROVIDERS = [
  { name: 'openai', dialect: 'openai-chat', preset: 'openai' },
  { name: 'chat-only', dialect: 'openai-chat', preset: null },
  { name: 'responses-only', dialect: 'openai-responses', preset: null },
  { name: 'anthropic', dialect: 'anthropic-messages', preset: 'anthropic' },
  { name: 'groq', dialect: 'openai-chat', preset: 'groq' },
] as const;
const ALIASES = [
  ['openai', 'smart', 'gpt-5.5'],
  ['openai', 'plain', 'gpt-4o'],
  ['chat-only', 'smart-elsewhere', 'gpt-5.5'],
  ['chat-only', 'plain-elsewhere', 'gpt-4.1'],
  ['responses-only', 'smart-responses', 'gpt-5.4'],
  ['anthropic', 'best', 'claude-opus-5-5'],
  ['groq', 'quick', 'llama-3.3-70b-versatile'],
  ['openai', 'either', 'gpt-5.5'],
  ['anthropic', 'either', 'claude-opus-5-5'],
] as const;

const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'm',
  output: [
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
    },
  ],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
};

let harness: Harness;
let api: TestApi;
let secret: string;
beforeAll(async () => {
  harness = await createHarness([]);
  for (const { name, dialect, preset } of PROVIDERS)
    await ensureBuiltIn(harness.database.db, {
      name,
      dialect,
      baseUrl: `${harness.provider.origin}/v1`,
      credentialEnv: null,
      preset,
      models: ALIASES.filter(([provider]) => provider === name).map(([, id, upstreamModel]) => ({
        id,
        upstreamModel,
        facts: id === 'quick' ? { capabilities: ['tools'], maxOutputTokens: 32_768 } : {},
        prices: PRICES,
      })),
    });
  api = await startTestApi({ db: harness.database.db, runtime: 'node', attempts: 2 });
  const { accountId } = await createAccountFixture(harness.database.db);
  ({ secret } = await createKeyFixture(harness.database.db, accountId));
});
beforeEach(() => harness.provider.reset());
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

async function send(endpoint: 'chat/completions' | 'responses' | 'messages', body: object) {
  harness.provider.reset();
  harness.provider.always({ replay: { body: JSON.stringify(RESPONSE) } }, { path: '/v1/responses' });
  const response = await post(`${api.baseUrl}/${endpoint}`, body, { secret });
  await response.text();
  const [sent] = harness.provider.requests;
  return {
    path: sent?.path,
    text: sent?.body.toString(),
    body: parseJsonObject(sent?.body.toString() ?? '') ?? {},
    limit: response.headers.get('x-tollgate-max-tokens'),
    dropped: response.headers.get('x-tollgate-dropped-params')?.split(',') ?? [],
  };
}

const messages = [{ role: 'user', content: 'Hi' }];
const parameters = { type: 'object', properties: {} };
const functionTools = [{ type: 'function', function: { name: 'f', parameters } }];
const claudeTools = [{ name: 'f', input_schema: parameters }];

describe('a request for an alias of an OpenAI model', () => {
  it('goes to the Responses API if chat completions refuse its tools', async () => {
    const asked = { messages, tools: claudeTools, thinking: { type: 'adaptive' }, max_tokens: 64_000 };
    const claude = await send('messages', { ...asked, model: 'smart', output_config: { effort: 'max' } });
    expect(claude.path).toBe('/v1/responses');
    expect(claude.body).toMatchObject({
      model: 'gpt-5.5',
      reasoning: { effort: 'xhigh' },
      include: ['reasoning.encrypted_content'],
      store: false,
    });
    expect(claude.dropped).toEqual(['output_config.effort']);
    const chat = { model: 'smart', messages, tools: functionTools, reasoning_effort: 'high' };
    expect(await send('chat/completions', chat)).toMatchObject({
      path: '/v1/responses',
      body: { reasoning: { effort: 'high' }, tools: [{ type: 'function', name: 'f' }] },
      dropped: [],
    });
  });

  it('goes to chat completions without tools, and with a model that does not reason', async () => {
    const thinking = { type: 'adaptive' };
    const asked = { messages, thinking, max_tokens: 64_000 };
    expect((await send('messages', { ...asked, model: 'smart' })).path).toBe('/v1/chat/completions');
    const plain = await send('messages', {
      ...asked,
      model: 'plain',
      tools: claudeTools,
      output_config: { effort: 'high' },
    });
    expect(plain.path).toBe('/v1/chat/completions');
    expect(plain.body).toMatchObject({ model: 'gpt-4o', max_completion_tokens: 16_384 });
    expect(plain.body).not.toHaveProperty('reasoning_effort');
    expect(plain.dropped.toSorted()).toEqual(['max_tokens', 'output_config.effort']);
  });

  it('has a setting that allows its tools if the provider has no Responses API', async () => {
    const asked = { messages, tools: functionTools, max_tokens: 500, temperature: 0, stop: ['END'] };
    const { path, body, dropped } = await send('chat/completions', { ...asked, model: 'smart-elsewhere' });
    expect(path).toBe('/v1/chat/completions');
    expect(body).toEqual({
      model: 'gpt-5.5',
      messages,
      tools: functionTools,
      max_completion_tokens: expect.any(Number),
      temperature: 0,
      reasoning_effort: 'none',
      ...('stream' in body ? { stream: false } : {}),
    });
    expect(dropped.toSorted()).toEqual(['reasoning_effort', 'stop']);
    const claude = await send('messages', {
      model: 'smart-elsewhere',
      messages,
      max_tokens: 500,
      stop_sequences: ['END'],
    });
    expect(claude.body).toMatchObject({ max_completion_tokens: 500 });
    expect(claude.body).not.toHaveProperty('max_tokens');
    expect(claude.dropped).toEqual([]);
  });

  it('has only settings that the model takes, with its old name of the output limit', async () => {
    const asked = { messages, max_tokens: 500, temperature: 0.2, stop: 'END', reasoning_effort: 'minimal' };
    const { text, dropped } = await send('chat/completions', { ...asked, model: 'smart' });
    expect(parseJsonObject(text ?? '')).toMatchObject({
      model: 'gpt-5.5',
      max_completion_tokens: 500,
      reasoning_effort: 'low',
    });
    for (const name of ['max_tokens', 'temperature', 'stop']) expect(text).not.toContain(`"${name}"`);
    expect(dropped.toSorted()).toEqual(['reasoning_effort', 'stop', 'temperature']);
  });

  it('asks for encrypted reasoning in the Responses API', async () => {
    for (const model of ['smart', 'smart-responses'])
      expect((await send('responses', { model, input: 'Hi', store: false })).body).toMatchObject({
        include: ['reasoning.encrypted_content'],
      });
    expect((await send('responses', { model: 'plain', input: 'Hi' })).body).not.toHaveProperty('include');
  });

  it('is changed in the same way if it is large', async () => {
    const long = [{ role: 'user', content: 'word '.repeat(40_000) }];
    const asked = { model: 'smart', messages: long, tools: functionTools, reasoning_effort: 'max' };
    const chat = await send('chat/completions', asked);
    expect(chat).toMatchObject({
      path: '/v1/responses',
      body: { reasoning: { effort: 'xhigh' } },
      dropped: ['reasoning_effort'],
    });
    const native = await send('chat/completions', {
      model: 'smart',
      messages: long,
      max_tokens: 9,
      stop: 'END',
    });
    expect(native).toMatchObject({ body: { max_completion_tokens: 9 }, dropped: ['stop'] });
    expect(native.body).not.toHaveProperty('max_tokens');
  });

  it('does not have the context management of the Messages API', async () => {
    const { body, dropped } = await send('messages', {
      model: 'smart-responses',
      messages,
      max_tokens: 500,
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    });
    expect(body).not.toHaveProperty('context_management');
    expect(dropped).toEqual(['context_management']);
  });
});

it('obeys the rules of the next model if the first provider fails', async () => {
  harness.provider.reset();
  harness.provider.always({ error: { status: 503 } }, { path: '/v1/chat/completions' });
  const asked = { messages, temperature: 0.5, top_p: 1, max_tokens: 300_000, reasoning_effort: 'minimal' };
  const response = await post(`${api.baseUrl}/chat/completions`, { ...asked, model: 'either' }, { secret });
  expect(response.status).toBe(200);
  await response.text();
  const sent = harness.provider.requests.map(({ body }) => parseJsonObject(body.toString()) ?? {});
  const [first] = sent;
  expect(first).toMatchObject({ model: 'gpt-5.5', reasoning_effort: 'low', max_completion_tokens: 128_000 });
  expect(first).not.toHaveProperty('temperature');
  const last = sent.at(-1);
  expect(last).toMatchObject({
    model: 'claude-opus-5-5',
    max_tokens: 128_000,
    output_config: { effort: 'low' },
  });
  expect(last).not.toHaveProperty('temperature');
  const dropped = response.headers.get('x-tollgate-dropped-params')?.split(',') ?? [];
  expect(dropped).toEqual(expect.arrayContaining(['temperature', 'max_tokens']));
});

it('asks a model for no reasoning if its capabilities lack it', async () => {
  const effort = { model: 'quick', messages, reasoning_effort: 'high', max_tokens: 64_000 };
  for (const size of [1, 40_000]) {
    const long = [{ role: 'user', content: 'word '.repeat(size) }];
    const native = await send('chat/completions', { ...effort, messages: long });
    expect(native.body).toMatchObject({ model: 'llama-3.3-70b-versatile', max_tokens: 32_768 });
    expect(native.limit).toBe('32768');
    expect(native.body).not.toHaveProperty('reasoning_effort');
    expect(native.dropped).toContain('thinking');
    const claude = { model: 'quick', messages: long, max_tokens: 500, thinking: { type: 'adaptive' } };
    const translated = await send('messages', { ...claude, output_config: { effort: 'high' } });
    expect(translated.body).not.toHaveProperty('reasoning_effort');
    expect(translated.dropped).toContain('thinking');
  }
});

it('asks a model for no reasoning if its family does not reason, also at a custom server', async () => {
  const asked = { model: 'plain-elsewhere', messages, max_tokens: 500, thinking: { type: 'adaptive' } };
  const { body, dropped } = await send('messages', { ...asked, output_config: { effort: 'high' } });
  expect(body).toMatchObject({ model: 'gpt-4.1', max_tokens: 500 });
  expect(body).not.toHaveProperty('reasoning_effort');
  expect(dropped).toContain('thinking');
});

describe('a request for an alias of a Claude model', () => {
  it('has no forced tool, no sampling, and thinking as the model takes it', async () => {
    const asked = { model: 'best', messages, tools: claudeTools, max_tokens: 500 };
    const { body, dropped } = await send('messages', {
      ...asked,
      tool_choice: { type: 'tool', name: 'f' },
      temperature: 0.5,
      thinking: { type: 'disabled' },
    });
    expect(body).toMatchObject({ model: 'claude-opus-5-5', tool_choice: { type: 'auto' } });
    expect(body).toMatchObject({ output_config: { effort: 'low' } });
    expect(body).not.toHaveProperty('thinking');
    expect(body).not.toHaveProperty('temperature');
    expect(dropped.toSorted()).toEqual(['temperature', 'thinking', 'tool_choice']);
    const chat = await send('chat/completions', {
      model: 'best',
      messages,
      tools: functionTools,
      tool_choice: 'required',
      reasoning_effort: 'high',
    });
    expect(chat.body).toMatchObject({
      tool_choice: { type: 'auto' },
      thinking: { type: 'adaptive' },
      output_config: { effort: 'high' },
    });
    expect(chat.dropped).toEqual(['tool_choice']);
  });

  it('keeps its bytes, except the name, if the model accepts it', async () => {
    const asked = {
      model: 'best',
      messages,
      max_tokens: 500,
      thinking: { type: 'adaptive' },
      temperature: 1,
    };
    const { temperature: _default, ...accepted } = asked;
    const { text, dropped } = await send('messages', accepted);
    expect(text).toContain(JSON.stringify(accepted.thinking));
    expect(dropped).toEqual([]);
    const left = await send('messages', asked);
    expect(left.body).not.toHaveProperty('temperature');
    expect(left.dropped).toEqual([]);
  });
});
