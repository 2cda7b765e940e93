import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { MODEL, startGateway } from '../gateway-fixture.ts';

const gateway = await startGateway({ models: [MODEL, 'other-model'] });
const { provider } = gateway;
afterAll(() => gateway[Symbol.asyncDispose]());
beforeEach(() => provider.reset());

const ask = {
  model: MODEL,
  max_tokens: 64,
  messages: [{ role: 'user' as const, content: 'Say something.' }],
};

/** The SDK appends `/v1`; a base URL that ends with it must work as well. */
const BASE_URLS = { 'with /v1': gateway.baseUrl, 'without /v1': gateway.baseUrl.replace(/\/v1$/, '') };

function clientFor(apiKey: string, baseURL = gateway.baseUrl): Anthropic {
  return new Anthropic({ baseURL, apiKey, maxRetries: 0 });
}
const client = clientFor(gateway.secret);

async function getFailure(work: Promise<unknown>): Promise<InstanceType<typeof Anthropic.APIError>> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Anthropic.APIError) return error;
  throw new Error(`Expected an APIError, got ${String(error)}`);
}

describe.each(Object.entries(BASE_URLS))('the Anthropic SDK on a base URL %s', (_name, baseURL) => {
  const client = clientFor(gateway.secret, baseURL);

  it('creates a message', async () => {
    provider.next({ answer: { text: 'Good morning to you.' } });
    const message = await client.messages.create(ask);
    expect(message.content).toMatchObject([{ type: 'text', text: 'Good morning to you.' }]);
    expect(message.usage.output_tokens).toBe(4);
    expect(message._request_id).toMatch(/^req_/);
  });

  it('streams a message', async () => {
    const message = await client.messages.stream(ask).finalMessage();
    expect(message.content).toMatchObject([
      { text: expect.stringContaining(`Hello, this is ${MODEL}.`) as string },
    ]);
    expect([message.stop_reason, message.usage.output_tokens]).toEqual(['end_turn', 12]);
  });

  it('lists the models of the key', async () => {
    const models = await Array.fromAsync(client.models.list());
    expect(models.map((model) => [model.type, model.id])).toEqual([
      ['model', MODEL],
      ['model', 'other-model'],
    ]);
  });
});

describe('the Anthropic SDK', () => {
  it('sends its key as a bearer token too', async () => {
    const bearer = new Anthropic({ baseURL: gateway.baseUrl, authToken: gateway.secret, apiKey: null });
    expect((await bearer.messages.create(ask)).role).toBe('assistant');
  });

  it('assembles a tool call from a stream', async () => {
    const input_schema = { type: 'object' as const, properties: { city: { type: 'string' } } };
    const stream = client.messages.stream({ ...ask, tools: [{ name: 'get_weather', input_schema }] });
    expect((await stream.finalMessage()).content).toMatchObject([
      { type: 'tool_use', name: 'get_weather', input: { city: 'sample' } },
    ]);
  });

  it('aborts in the middle of a stream, and the provider notices within half a second', async () => {
    provider.next({ answer: { words: 500 }, intervalMs: 20 });
    const stream = await client.messages.create({ ...ask, stream: true });
    let seen = 0;
    for await (const _event of stream) if (++seen === 5) break;
    const leftAtMs = performance.now();
    const [record] = provider.requests;
    await record?.finished;
    expect(record?.outcome).toBe('aborted');
    expect(Number(record?.abortedAtMs) - leftAtMs).toBeLessThan(500);
  });
});

describe('the error classes of the Anthropic SDK', () => {
  const create = (apiKey: string, model = MODEL) => clientFor(apiKey).messages.create({ ...ask, model });

  it('throws AuthenticationError for a key that is unknown or malformed', async () => {
    for (const key of [`sk-${'0'.repeat(48)}`, 'not-a-key']) {
      const error = await getFailure(create(key));
      expect(error).toBeInstanceOf(Anthropic.AuthenticationError);
      expect(error.message).toContain('Authentication Error');
      expect(error.error).toMatchObject({ type: 'error', error: { type: 'authentication_error' } });
      expect(error.requestID).toMatch(/^req_/);
    }
  });

  it('throws PermissionDeniedError for a model outside the scope', async () => {
    const { secret } = await gateway.createKey({ allowedModels: ['other-model'] });
    const error = await getFailure(create(secret));
    expect(error).toBeInstanceOf(Anthropic.PermissionDeniedError);
    expect(error.message).toContain('key not allowed to access model');
  });

  it('throws NotFoundError for a model that does not exist', async () => {
    expect(await getFailure(create(gateway.secret, 'no-such-model'))).toBeInstanceOf(Anthropic.NotFoundError);
  });

  it('throws BadRequestError for a malformed request, and for one that the provider refuses', async () => {
    const malformed = await getFailure(client.messages.create({ ...ask, messages: [] }));
    expect(malformed).toBeInstanceOf(Anthropic.BadRequestError);
    provider.next({ error: { status: 400 } });
    const refused = await getFailure(create(gateway.secret));
    expect(refused).toBeInstanceOf(Anthropic.BadRequestError);
    expect(refused.message).toContain('Input should be a valid string');
  });

  it('throws PaymentRequiredError once the budget is spent', async () => {
    const { secret } = await gateway.createKey({ maxBudgetUsd: '0.000000001' });
    const error = await getFailure(create(secret));
    expect(error).toBeInstanceOf(Anthropic.PaymentRequiredError);
    expect(error.error).toMatchObject({ error: { type: 'billing_error' } });
  });

  it("throws RateLimitError and OverloadedError for the provider's responses", async () => {
    provider.next({ error: { status: 429, retryAfterSeconds: 7 } });
    expect(await getFailure(create(gateway.secret))).toBeInstanceOf(Anthropic.RateLimitError);
    provider.next({ error: { status: 529 } });
    expect(await getFailure(create(gateway.secret))).toBeInstanceOf(Anthropic.InternalServerError);
  });

  it('throws when the provider breaks off in the middle of a stream', async () => {
    provider.next({ answer: { words: 50 }, cutAfterBytes: 2_000 });
    const error = await getFailure(client.messages.stream(ask).finalMessage());
    expect(error.error).toMatchObject({ type: 'error', error: { type: 'api_error' } });
  });
});
