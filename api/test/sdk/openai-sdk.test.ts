import OpenAI from 'openai';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { MODEL, startGateway } from '../gateway-fixture.ts';

const gateway = await startGateway({ models: [MODEL, 'other-model'] });
const { provider } = gateway;
afterAll(() => gateway[Symbol.asyncDispose]());
beforeEach(() => provider.reset());

const messages = [{ role: 'user' as const, content: 'Say something.' }];

function clientFor(apiKey: string): OpenAI {
  return new OpenAI({ baseURL: gateway.baseUrl, apiKey, maxRetries: 0 });
}
const client = clientFor(gateway.secret);

async function getFailure(work: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof OpenAI.APIError) return error;
  throw new Error(`Expected an APIError, got ${String(error)}`);
}

describe('the openai SDK', () => {
  it('creates a completion', async () => {
    provider.next({ answer: { text: 'Good morning to you.' } });
    const completion = await client.chat.completions.create({ model: MODEL, messages });
    expect(completion.choices[0]?.message.content).toBe('Good morning to you.');
    expect(completion.usage?.completion_tokens).toBe(4);
    expect(completion._request_id).toMatch(/^req_/);
  });

  it('streams, without unrequested usage', async () => {
    const stream = await client.chat.completions.create({ model: MODEL, messages, stream: true });
    let text = '';
    for await (const chunk of stream) {
      expect(chunk.usage ?? null).toBeNull();
      expect(chunk.choices).toHaveLength(1);
      text += chunk.choices[0]?.delta.content ?? '';
    }
    expect(text).toContain(`Hello, this is ${MODEL}.`);
    expect(provider.requests[0]?.usage).toMatchObject({ outputTokens: 12 });
  });

  it('streams with requested usage', async () => {
    const options = { stream: true, stream_options: { include_usage: true } } as const;
    const stream = await client.chat.completions.create({ model: MODEL, messages, ...options });
    const chunks = await Array.fromAsync(stream);
    expect(chunks.at(-1)?.usage?.completion_tokens).toBe(12);
  });

  it('assembles a tool call from a stream', async () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } } };
    const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters } }];
    const call = await client.chat.completions.stream({ model: MODEL, messages, tools }).finalMessage();
    expect(call.tool_calls?.[0]).toMatchObject({
      function: { name: 'get_weather', arguments: '{"city":"sample"}' },
    });
  });

  it('aborts in the middle of a stream, and the provider notices within half a second', async () => {
    provider.next({ answer: { words: 500 }, intervalMs: 20 });
    const stream = await client.chat.completions.create({ model: MODEL, messages, stream: true });
    let seen = 0;
    for await (const _chunk of stream) if (++seen === 5) break;
    const leftAtMs = performance.now();
    const [record] = provider.requests;
    await record?.finished;
    expect(record?.outcome).toBe('aborted');
    expect(Number(record?.abortedAtMs) - leftAtMs).toBeLessThan(500);
    expect(record?.outputTokensSent).toBeLessThan(60);
  });

  it('aborts before the first byte, and the provider notices', async () => {
    provider.next({ stallBeforeHeaders: true });
    const leaving = new AbortController();
    const arrived = provider.nextRequest();
    const answer = client.chat.completions.create({ model: MODEL, messages }, { signal: leaving.signal });
    const record = await arrived;
    leaving.abort();
    await expect(answer).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    await record.finished;
    expect(record.outcome).toBe('aborted');
  });

  it('lists the models of the key, and gets one', async () => {
    const ids = (await Array.fromAsync(client.models.list())).map((model) => model.id);
    expect(ids).toEqual([MODEL, 'other-model']);
    expect(await client.models.retrieve(MODEL)).toMatchObject({ id: MODEL, object: 'model' });
    const { secret } = await gateway.createKey({ allowedModels: ['other-model'] });
    const allowed = await Array.fromAsync(clientFor(secret).models.list());
    expect(allowed.map((model) => model.id)).toEqual(['other-model']);
  });
});

describe('the error classes of the openai SDK', () => {
  const create = (apiKey: string, model = MODEL) =>
    clientFor(apiKey).chat.completions.create({ model, messages });

  it('throws AuthenticationError for a key that is unknown, malformed or revoked', async () => {
    for (const key of [`sk-${'0'.repeat(48)}`, 'not-a-key']) {
      const error = await getFailure(create(key));
      expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
      expect(error.message).toContain('Authentication Error');
      expect(error.type).toBe('authentication_error');
    }
  });

  it('throws PermissionDeniedError for a model outside the scope', async () => {
    const { secret } = await gateway.createKey({ allowedModels: ['other-model'] });
    const error = await getFailure(create(secret));
    expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError);
    expect(error.message).toContain('key not allowed to access model');
    expect([error.code, error.param]).toEqual(['model_not_allowed', 'model']);
  });

  it('throws NotFoundError for a model that does not exist', async () => {
    const error = await getFailure(create(gateway.secret, 'no-such-model'));
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error.code).toBe('model_not_found');
  });

  it('throws BadRequestError for a malformed request, and for one that the provider refuses', async () => {
    const error = await getFailure(client.chat.completions.create({ model: MODEL, messages: [] }));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error.param).toBe('messages');
    provider.next({ error: { status: 400 } });
    const refused = await getFailure(create(gateway.secret));
    expect(refused).toBeInstanceOf(OpenAI.BadRequestError);
    expect(refused.code).toBe('invalid_type');
  });

  it('throws an APIError of status 402 if the budget is too low, and does not retry it', async () => {
    const { secret } = await gateway.createKey({ maxBudgetUsd: '0.000000001' });
    const retrying = new OpenAI({ baseURL: gateway.baseUrl, apiKey: secret, maxRetries: 2 });
    const error = await getFailure(retrying.chat.completions.create({ model: MODEL, messages }));
    expect([error.status, error.code, error.type]).toEqual([402, 'budget_exceeded', 'billing_error']);
    expect(provider.requests).toHaveLength(0);
  });

  it("throws RateLimitError and InternalServerError for the provider's responses", async () => {
    provider.next({ error: { status: 429, retryAfterSeconds: 7 } });
    const limited = await getFailure(create(gateway.secret));
    expect(limited).toBeInstanceOf(OpenAI.RateLimitError);
    expect(limited.headers?.get('retry-after')).toBe('7');
    provider.next({ error: { status: 500 } });
    expect(await getFailure(create(gateway.secret))).toBeInstanceOf(OpenAI.InternalServerError);
  });

  it('throws when the provider breaks off in the middle of a stream', async () => {
    provider.next({ answer: { words: 50 }, cutAfterBytes: 2_000 });
    const stream = await client.chat.completions.create({ model: MODEL, messages, stream: true });
    const error = await getFailure(Array.fromAsync(stream));
    expect(error.message).not.toBe('');
  });
});
