import { asObject, parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import type { Script, ScriptWriter } from '@tollgate/testing/fake-provider/script';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, PRICES } from '../gateway-fixture.ts';
import { TESTED_ENDPOINTS } from '../tested-endpoints.ts';
import { failWithEvent, REASONING, SIGNED } from './continued/broken-streams.ts';

const harness = await createHarness([]);
const { provider, secret } = harness;
const { db } = harness.database;
const MODELS = {
  chat: { dialect: 'openai-chat', upstreamModel: 'chat-upstream' },
  claude: { dialect: 'anthropic-messages', upstreamModel: 'claude-sonnet-4-5' },
  'later-claude': { dialect: 'anthropic-messages', upstreamModel: 'claude-sonnet-4-6' },
} as const;
for (const [id, { dialect, upstreamModel }] of Object.entries(MODELS))
  await ensureBuiltIn(db, {
    name: `only-${id}`,
    dialect,
    baseUrl: `${provider.origin}/v1`,
    credentialEnv: null,
    preset: null,
    models: [{ id, upstreamModel, facts: {}, prices: PRICES }],
  });
const api = await startTestApi({ db, runtime: 'node' });

afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});
beforeEach(() => provider.reset());

const WORDS = 20;
const TEXT = Array.from({ length: WORDS }, (_, index) => `word${index + 1}`).join(' ');
/** After 8 words, also with the events before them. */
const CUT: Script = { answer: { words: WORDS }, cutAfterPieces: 11 };
const messages = [{ role: 'user', content: 'Write.' }];
const ON = { 'x-tollgate-continue': 'on' };

/** Goes on with the last message of the assistant, with or without an instruction. */
const goOn: ScriptWriter = (request) => {
  const received = request.messages
    .map((message) => asObject(message))
    .findLast((message) => message?.['role'] === 'assistant')?.['content'];
  return typeof received === 'string'
    ? { answer: { text: TEXT.slice(received.length) } }
    : { answer: { words: WORDS } };
};

function ask(model: keyof typeof MODELS, body: object = {}, headers: Record<string, string> = ON) {
  const path = MODELS[model].dialect === 'openai-chat' ? '/chat/completions' : '/messages';
  const limit = path === '/messages' ? { max_tokens: 500 } : {};
  return post(api.baseUrl + path, { model, messages, stream: true, ...limit, ...body }, { secret, headers });
}

async function findRecord(response: Response) {
  const id = response.headers.get('x-request-id');
  const find = () => db.sql<
    {
      attempts: { outcome: string }[] | null;
      error: string | null;
      output: number;
      cost: string;
      unbilled: string;
    }[]
  >`SELECT attempts, error_code AS error, output_tokens AS output, cost_nano_usd::text AS cost,
    operator_cost_nano_usd::text AS unbilled FROM requests WHERE id = ${id} AND state = 'settled'`;
  await expect.poll(async () => (await find()).length).toBe(1);
  const [record] = await find();
  if (record === undefined) throw new Error('The request has no record');
  return { ...record, outcomes: (record.attempts ?? []).map(({ outcome }) => outcome) };
}

const getBody = (at: number) => parseJsonObject(provider.requests[at]?.body.toString('utf8') ?? '') ?? {};
const getRoles = (at: number) =>
  ([getBody(at)['messages']].flat() as { role: string }[]).map(({ role }) => role);

describe('x-tollgate-continue', () => {
  it('wins over the policy of the model, and is not sent to the provider', async () => {
    await db.sql`UPDATE models SET continue_streams = true WHERE id = 'claude'`;
    await api.deps.catalogue.load();
    provider.always(goOn);
    provider.next(CUT);
    const off = await ask('claude', {}, { 'x-tollgate-continue': 'off' });
    expect(await off.text()).toContain('event: error');
    provider.next(CUT);
    const unset = await ask('claude', {}, {});
    expect(await unset.text()).not.toContain('event: error');
    provider.next(CUT);
    const other = await ask('chat', {}, {});
    expect(await other.text()).not.toContain('[DONE]');
    provider.next(CUT);
    const on = await ask('chat');
    expect(await on.text()).toContain('[DONE]');
    for (const { headers } of provider.requests) expect(headers['x-tollgate-continue']).toBeUndefined();
  });

  it.each(TESTED_ENDPOINTS)('must be on or off at $path', async (endpoint) => {
    const { path, checkError } = endpoint;
    const body = { model: 'chat', messages, input: 'Write.', max_tokens: 9, stream: true };
    const { messages: _, max_tokens: __, ...response } = body;
    const { input: ___, ...chat } = body;
    const refused = await fetch(api.baseUrl + path, {
      method: 'POST',
      headers: { ...endpoint.headers(secret), 'x-tollgate-continue': 'maybe' },
      body: JSON.stringify(path === '/responses' ? response : chat),
    });
    expect(refused.status).toBe(400);
    const error: unknown = await refused.json();
    expect(checkError(error)).toEqual([]);
    expect(JSON.stringify(error)).toContain('x-tollgate-continue');
    expect(provider.requests).toEqual([]);
  });
});

describe('a continued stream', () => {
  it('gets what is left of the maximum output', async () => {
    provider.next(CUT);
    provider.always(goOn);
    const response = await ask('chat', { max_tokens: 100 });
    expect(await response.text()).toContain('"tollgate":{"continued":1}');
    const [first, second] = [getBody(0), getBody(1)].map(({ max_tokens: max }) => Number(max));
    expect([first, (first ?? 0) - (second ?? 0)]).toEqual([100, Math.ceil(TEXT.indexOf(' word11') / 4)]);
    const record = await findRecord(response);
    expect(record.outcomes).toEqual(['cut', 'continued']);
    expect(Number(record.unbilled)).toBeGreaterThan(0);
  });

  it('is a prefill where the model takes it, else an instruction', async () => {
    provider.always(goOn);
    for (const model of ['claude', 'later-claude'] as const) {
      provider.next({ ...CUT, cutBy: 'reset' });
      expect(await (await ask(model)).text()).toContain('message_stop');
    }
    expect([getRoles(1), getRoles(3)]).toEqual([
      ['user', 'assistant'],
      ['user', 'assistant', 'user'],
    ]);
  });

  it('gets an instruction if the provider refuses the prefill', async () => {
    const error = { type: 'invalid_request_error', message: 'This model does not support prefill.' };
    const refusal = JSON.stringify({ type: 'error', error });
    provider.next(CUT);
    provider.next({ replay: { status: 400, contentType: 'application/json', body: refusal } });
    provider.always(goOn);
    const response = await ask('claude');
    expect(await response.text()).toContain('message_stop');
    expect(getRoles(2)).toEqual(['user', 'assistant', 'user']);
    expect((await findRecord(response)).outcomes).toEqual(['cut', 'status_400', 'continued']);
  });

  it('goes on after an error event', async () => {
    let calls = 0;
    provider.always((request, headers) => {
      calls += 1;
      return calls === 1 ? failWithEvent(request, headers) : goOn(request, headers);
    });
    const response = await ask('chat');
    const text = await response.text();
    expect(text).not.toContain('Overloaded');
    expect(text).toContain('word20');
    expect((await findRecord(response)).outcomes).toEqual(['status_529', 'continued']);
  });

  it('ends with an error after two continuations, and bills what was delivered', async () => {
    provider.always((request, headers) => ({ ...goOn(request, headers), cutAfterPieces: 4 }));
    const response = await ask('chat');
    const text = await response.text();
    expect(text).toContain('"error":');
    expect(text).not.toContain('[DONE]');
    const words = text.match(/word\d+/g) ?? [];
    expect(words.length).toBeGreaterThan(5);
    const { outcomes, error, output } = await findRecord(response);
    expect({ outcomes, error }).toEqual({ outcomes: ['cut', 'cut', 'cut'], error: 'upstream_error' });
    expect(output).toBeGreaterThanOrEqual(words.length);
    expect(provider.requests).toHaveLength(3);
    expect(api.deps.largeAnswers.budget.usedBytes).toBe(0);
  });

  it('ends with an error if the model starts again with other words', async () => {
    provider.next(CUT);
    provider.always({ answer: { text: `${TEXT.slice(0, 30)} but something else follows here.` } });
    const response = await ask('chat');
    expect(await response.text()).not.toContain('something else');
    expect((await findRecord(response)).error).toBe('upstream_error');
  });

  it('bills what was delivered if its caller disconnects', async () => {
    provider.next(CUT);
    provider.always((request, headers) => ({ ...goOn(request, headers), stallAfterPieces: 4 }));
    const response = await ask('chat');
    let read = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      read += decoder.decode(chunk as Uint8Array);
      // The rest is cancelled.
      if (read.includes('word12')) break;
    }
    const { error, output } = await findRecord(response);
    expect(error).toBe('client_gone');
    expect(output).toBeGreaterThanOrEqual(12);
    expect(output).toBeLessThan(30);
  });
});

describe('a stream with reasoning', () => {
  const thinking = { type: 'enabled', budget_tokens: 1_024 };
  const askToThink = () => ask('claude', { thinking, max_tokens: 4_096 });

  it('is continued in its text, with an instruction', async () => {
    provider.next({ replay: { body: [...REASONING, ...SIGNED].join('') } });
    provider.always(goOn);
    const response = await askToThink();
    const text = await response.text();
    expect(TESTED_ENDPOINTS[1]?.checkStream(text, { ending: 'whole', wantsUsage: true })).toEqual([]);
    expect(text.match(/"type":"thinking"/g)).toHaveLength(1);
    const said = [...text.matchAll(/"type":"text_delta","text":"([^"]*)"/g)].map(([, part]) => part);
    expect(said.join('')).toBe(TEXT);
    expect(getRoles(1)).toEqual(['user', 'assistant', 'user']);
  });

  it('is not continued inside its reasoning', async () => {
    provider.next({ replay: { body: REASONING.join('') } });
    const response = await askToThink();
    expect(await response.text()).toContain('event: error');
    expect(provider.requests).toHaveLength(1);
  });
});

describe('a stream that cannot be continued', () => {
  const tools = [
    { type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } },
  ];
  const schema = { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } };

  it.each<[string, object]>([
    ['a structured response', { response_format: schema }],
    ['two choices', { n: 2 }],
    ['log probabilities', { logprobs: true }],
    ['a forced tool', { tools, tool_choice: 'required' }],
  ])('ends with an error: %s', async (_, body) => {
    provider.next({ answer: { words: WORDS, callsTool: false }, cutAfterPieces: 11 });
    const response = await ask('chat', body);
    expect(await response.text()).toContain('"error":');
    expect(provider.requests).toHaveLength(1);
  });

  it('ends with an error inside a tool call', async () => {
    provider.next({ answer: { callsTool: true }, cutAfterPieces: 3 });
    const response = await ask('chat', { tools });
    const text = await response.text();
    expect(text).toContain('tool_calls');
    expect(text).toContain('"error":');
    expect(provider.requests).toHaveLength(1);
  });
});

describe('official clients', () => {
  const client = new OpenAI({ baseURL: api.baseUrl, apiKey: secret, maxRetries: 0, defaultHeaders: ON });

  it('read a continued chat completion', async () => {
    provider.next(CUT);
    provider.always(goOn);
    const stream = client.chat.completions.stream({
      model: 'chat',
      messages: [{ role: 'user', content: 'Write.' }],
    });
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]?.message.content).toBe(TEXT);
  });

  it('read a continued response', async () => {
    provider.next(CUT);
    provider.always(goOn);
    const response = await client.responses.stream({ model: 'chat', input: 'Write.' }).finalResponse();
    expect(response.output_text).toBe(TEXT);
    expect(response).toMatchObject({ tollgate: { continued: 1 } });
  });

  it('read a continued message', async () => {
    provider.next(CUT);
    provider.always(goOn);
    const baseURL = api.baseUrl.replace(/\/v1$/, '');
    const client = new Anthropic({ baseURL, apiKey: secret, maxRetries: 0, defaultHeaders: ON });
    const stream = client.messages.stream({
      model: 'claude',
      max_tokens: 500,
      messages: [{ role: 'user', content: 'Write.' }],
    });
    const { content } = await stream.finalMessage();
    expect(content).toMatchObject([{ type: 'text', text: TEXT }]);
  });
});
