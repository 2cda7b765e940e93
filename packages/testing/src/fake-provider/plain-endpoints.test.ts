import { afterAll, beforeEach, expect, it } from 'vitest';
import { createFakeProvider } from './create-fake-provider.ts';

const provider = await createFakeProvider();
afterAll(() => provider.close());
beforeEach(() => provider.reset());

async function ask(path: string, body: object): Promise<{ status: number; body: unknown }> {
  const response = await fetch(provider.origin + path, {
    method: 'POST',
    headers: path.startsWith('/v1/messages') ? { 'anthropic-version': '2023-06-01' } : {},
    body: JSON.stringify({ model: 'fake-model', ...body }),
  });
  return { status: response.status, body: await response.json() };
}

it('counts the tokens of messages, or returns a scripted count', async () => {
  const messages = [{ role: 'user', content: 'hi' }];
  expect((await ask('/v1/messages/count_tokens', { messages })).body).toEqual({ input_tokens: 8 });
  provider.next({
    answer: {
      usage: {
        inputTokens: 77,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        cacheWrite1hTokens: 0,
        outputTokens: 0,
      },
    },
  });
  expect((await ask('/v1/messages/count_tokens', { messages })).body).toEqual({ input_tokens: 77 });
  provider.next({ error: { status: 400 } });
  expect(await ask('/v1/messages/count_tokens', { messages })).toMatchObject({
    status: 400,
    body: { type: 'error', error: { type: 'invalid_request_error' } },
  });
});

it('embeds each input as numbers or base64, and records its usage', async () => {
  const floats = await ask('/v1/embeddings', { input: ['abcd', 'wxyz!'], dimensions: 2 });
  expect(floats.body).toEqual({
    object: 'list',
    data: [
      { object: 'embedding', index: 0, embedding: [-31 / 256, -30 / 256] },
      { object: 'embedding', index: 1, embedding: [-9 / 256, -8 / 256] },
    ],
    model: 'fake-model',
    usage: { prompt_tokens: 3, total_tokens: 3 },
  });
  await provider.requests[0]?.finished;
  expect(provider.requests[0]).toMatchObject({ dialect: null, usage: { inputTokens: 3 } });
  const packed = await ask('/v1/embeddings', { input: [97, 98], dimensions: 2, encoding_format: 'base64' });
  expect(packed.body).toMatchObject({
    data: [{ embedding: Buffer.from(new Float32Array([-37 / 256, -71 / 256]).buffer).toString('base64') }],
  });
});

it('omits usage, sends garbage and refuses if scripted', async () => {
  provider.next({ answer: { usage: null } });
  expect((await ask('/v1/embeddings', { input: 'a' })).body).not.toHaveProperty('usage');
  provider.next({ error: { status: 429 } });
  expect(await ask('/v1/embeddings', { input: 'a' })).toMatchObject({
    status: 429,
    body: { error: { type: 'requests' } },
  });
  provider.next({ garbage: 50 });
  await expect(ask('/v1/embeddings', { input: 'a' })).rejects.toBeInstanceOf(SyntaxError);
});
