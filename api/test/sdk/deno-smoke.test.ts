import Anthropic from '@anthropic-ai/sdk';
import { revokeKey } from '@tollgate/db/queries/keys/keys';
import OpenAI from 'openai';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createHarness, MODEL } from '../gateway-fixture.ts';
import { spawnDeno } from './spawn-deno.ts';
import { waitForSpend } from '../chaos/wait-for-spend.ts';

const harness = await createHarness();
const { provider } = harness;
const api = await spawnDeno(harness.database.url, harness.secret);
afterAll(async () => {
  await api.stop();
  await harness[Symbol.asyncDispose]();
});
beforeEach(() => provider.reset());

const openai = new OpenAI({ baseURL: api.baseUrl, apiKey: harness.secret, maxRetries: 0 });
const anthropic = new Anthropic({ baseURL: api.baseUrl, apiKey: harness.secret, maxRetries: 0 });
const messages = [{ role: 'user' as const, content: 'Hi' }];
const ask = { model: MODEL, max_tokens: 64, messages };

describe('the api on Deno', () => {
  it('answers a Request with a Response, without any server', () => {
    expect(api.deno).toMatch(/^2\./);
    expect([api.directStatus, api.directBody]).toMatchObject([200, { data: [{ id: MODEL }] }]);
  });

  it('creates and streams in both dialects', async () => {
    const completion = await openai.chat.completions.create(ask);
    expect(completion.choices[0]?.message.content).toContain(`Hello, this is ${MODEL}.`);
    const chunks = await Array.fromAsync(await openai.chat.completions.create({ ...ask, stream: true }));
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content).join('')).toContain('The sky');
    expect((await anthropic.messages.create(ask)).usage.output_tokens).toBe(12);
    const message = await anthropic.messages.stream(ask).finalMessage();
    expect(message.stop_reason).toBe('end_turn');
  });

  it('records the usage', async () => {
    const { keyId, secret } = await harness.createKey();
    const client = new OpenAI({ baseURL: api.baseUrl, apiKey: secret, maxRetries: 0 });
    await client.chat.completions.create(ask);
    await waitForSpend(harness, keyId);
    expect(provider.requests).toHaveLength(1);
  });

  it('cancels the provider call when the caller disconnects', async () => {
    provider.next({ answer: { words: 500 }, intervalMs: 20 });
    let seen = 0;
    const stream = await openai.chat.completions.create({ ...ask, stream: true });
    for await (const _chunk of stream) if (++seen === 5) break;
    const leftAtMs = performance.now();
    const [record] = provider.requests;
    await record?.finished;
    expect(record?.outcome).toBe('aborted');
    expect(Number(record?.abortedAtMs) - leftAtMs).toBeLessThan(500);
  });

  it('never makes a broken stream look complete', async () => {
    provider.next({ answer: { words: 50 }, cutAfterBytes: 2_000 });
    const stream = await openai.chat.completions.create({ ...ask, stream: true });
    await expect(Array.fromAsync(stream)).rejects.toBeInstanceOf(OpenAI.APIError);
    provider.next({ answer: { words: 50 }, cutAfterBytes: 2_000 });
    await expect(anthropic.messages.stream(ask).finalMessage()).rejects.toBeInstanceOf(Anthropic.APIError);
  });

  it('cuts the stream of a revoked key within a second, and refuses the key afterwards', async () => {
    provider.next({ answer: { words: 500 }, intervalMs: 20 });
    const { keyId, secret } = await harness.createKey();
    const client = new OpenAI({ baseURL: api.baseUrl, apiKey: secret, maxRetries: 0 });
    const stream = await client.chat.completions.create({ ...ask, stream: true });
    const rest = Array.fromAsync(stream);
    const startMs = performance.now();
    await revokeKey(harness.database.db, { keyId, accountId: null, actorUserId: null });
    await expect(rest).rejects.toMatchObject({ code: 'revoked_api_key' });
    expect(performance.now() - startMs).toBeLessThan(1_000);
    await expect(client.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });

  it('serves its API description and docs page', async () => {
    const origin = api.baseUrl.replace(/\/v1$/, '');
    expect(await (await fetch(`${origin}/openapi.json`)).json()).toMatchObject({ openapi: '3.1.1' });
    expect(await (await fetch(`${origin}/docs`)).text()).toContain('swagger-ui-bundle.js?v=');
    expect((await fetch(`${origin}/docs/swagger-ui-bundle.js`)).status).toBe(200);
  });

  it('shuts down cleanly', async () => {
    expect(await api.stop()).toBe(0);
  });
});
