import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createFakeProvider } from './create-fake-provider.ts';
import type { FakeDialect, FakeErrorStatus } from './script.ts';

const provider = await createFakeProvider({ models: ['fake-a', 'fake-b'] });
afterAll(() => provider.close());
beforeEach(() => provider.reset());

const PATHS: Record<FakeDialect, string> = {
  'openai-chat': '/v1/chat/completions',
  'anthropic-messages': '/v1/messages',
};
const DIALECTS: FakeDialect[] = ['openai-chat', 'anthropic-messages'];

function ask(dialect: FakeDialect, fields: Record<string, unknown> = {}, signal?: AbortSignal) {
  return fetch(provider.origin + PATHS[dialect], {
    method: 'POST',
    body: JSON.stringify({ model: 'fake-a', messages: [{ role: 'user', content: 'hi' }], ...fields }),
    ...(signal && { signal }),
  });
}

function last() {
  const record = provider.requests.at(-1);
  if (record === undefined) throw new Error('Nothing was served');
  return record;
}

describe('responses of the fake provider', () => {
  it.each(DIALECTS)('returns the same bytes and usage for %s each time', async (dialect) => {
    const [first, second] = [await (await ask(dialect)).text(), await (await ask(dialect)).text()];
    expect(second).toBe(first);
    await last().finished;
    expect(last()).toMatchObject({
      model: 'fake-a',
      dialect,
      status: 200,
      outcome: 'complete',
      bytesSent: Buffer.byteLength(first),
      usage: { inputTokens: 8, outputTokens: 12 },
      outputTokensSent: 12,
    });
  });

  it('reports the usage of an OpenAI stream only if requested', async () => {
    const without = await (await ask('openai-chat', { stream: true })).text();
    expect(without).toMatch(/data: \[DONE\]\n\n$/);
    expect(without).not.toContain('usage');
    expect(last().usage).toBeNull();
    const options = { stream: true, stream_options: { include_usage: true } };
    const usageChunk = (await (await ask('openai-chat', options)).text()).split('\n\n').at(-3);
    expect(JSON.parse(usageChunk?.slice(6) ?? '')).toMatchObject({
      choices: [],
      usage: { completion_tokens: 12 },
    });
    expect(last().usage).toMatchObject({ outputTokens: 12 });
  });

  it('streams Anthropic events from message_start to message_stop', async () => {
    const text = await (await ask('anthropic-messages', { stream: true })).text();
    const names = [...text.matchAll(/^event: (.+)$/gm)].map((match) => match[1]);
    expect([names[0], names.at(-1)]).toEqual(['message_start', 'message_stop']);
    expect(names.filter((name) => name === 'content_block_delta')).toHaveLength(12);
  });

  it('calls an offered tool until its result is sent', async () => {
    const schema = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } };
    const tools = [{ name: 'get_weather', input_schema: schema }];
    const body = JSON.parse(await (await ask('anthropic-messages', { tools })).text());
    expect(body).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ name: 'get_weather', input: { city: 'sample', days: 1 } }],
    });
    const messages = [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x' }] }];
    const answered = JSON.parse(await (await ask('anthropic-messages', { tools, messages })).text());
    expect(answered.stop_reason).toBe('end_turn');
  });

  it('lists its models in the requested dialect', async () => {
    const openai = await (await fetch(`${provider.origin}/v1/models`)).json();
    expect(openai).toMatchObject({ object: 'list', data: [{ id: 'fake-a' }, { id: 'fake-b' }] });
    const headers = { 'anthropic-version': '2023-06-01' };
    const anthropic = await (await fetch(`${provider.origin}/v1/models`, { headers })).json();
    expect(anthropic).toMatchObject({ data: [{ type: 'model', id: 'fake-a' }, {}], has_more: false });
  });

  it('refuses a wrong key', async () => {
    await using strict = await createFakeProvider({ apiKey: 'right' });
    const call = (headers: Record<string, string>) =>
      fetch(`${strict.origin}/v1/messages`, { method: 'POST', body: '{}', headers });
    expect((await call({ 'x-api-key': 'wrong' })).status).toBe(401);
    expect((await call({ 'x-api-key': 'right' })).status).toBe(200);
    expect((await call({ authorization: 'Bearer right' })).status).toBe(200);
  });
});

describe('scripts of the fake provider', () => {
  it('uses queued scripts in order, then the newest matching standing order', async () => {
    provider.always({ answer: { text: 'standing' } });
    provider.always({ answer: { text: 'for b' } }, { model: /b$/ });
    provider.next({ answer: { text: 'first' } });
    provider.next({ answer: { text: 'tagged' } }, { headers: { 'x-case': 'z' } });
    const say = async (model: string) => {
      const body = JSON.parse(await (await ask('openai-chat', { model })).text());
      return body.choices[0].message.content;
    };
    expect([await say('fake-b'), await say('fake-b'), await say('fake-a')]).toEqual([
      'first',
      'for b',
      'standing',
    ]);
  });

  const statuses: FakeErrorStatus[] = [400, 401, 403, 404, 429, 500, 503, 529];
  it.each(statuses.flatMap((status) => DIALECTS.map((dialect) => [status, dialect] as const)))(
    'answers %i with the body of %s',
    async (status, dialect) => {
      provider.next({ error: { status, retryAfterSeconds: 7 } });
      const response = await ask(dialect, { stream: true });
      expect(response.status).toBe(status);
      expect(response.headers.get('retry-after')).toBe('7');
      const body: unknown = await response.json();
      expect(body).toMatchObject({ error: { type: expect.any(String), message: expect.any(String) } });
    },
  );

  it('replays given bytes with their status and type', async () => {
    const body = 'data: {"a":1}\r\n\r\ndata: {"b":2}\n\n: end\n\n';
    provider.next({ replay: { body, status: 201, contentType: 'text/event-stream' } });
    const response = await ask('openai-chat', { stream: true });
    expect([response.status, response.headers.get('content-type')]).toEqual([201, 'text/event-stream']);
    expect(await response.text()).toBe(body);
  });

  it('sends garbage and a wrong content type', async () => {
    provider.next({ garbage: 300, contentType: 'text/html' });
    const response = await ask('openai-chat');
    expect(response.headers.get('content-type')).toBe('text/html');
    expect((await response.arrayBuffer()).byteLength).toBe(300);
  });
});
