import Anthropic from '@anthropic-ai/sdk';
import { NO_USAGE } from '@tollgate/core/money/money';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import { sumUsage } from '@tollgate/db/queries/usage/usage';
import OpenAI from 'openai';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { MODEL, PRICES, startGateway } from '../gateway-fixture.ts';
import { waitForSpend } from '../chaos/wait-for-spend.ts';

const gateway = await startGateway();
const { provider } = gateway;
afterAll(() => gateway[Symbol.asyncDispose]());
beforeEach(() => provider.reset());

const anthropic = new Anthropic({ baseURL: gateway.baseUrl, apiKey: gateway.secret, maxRetries: 0 });
const openai = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.secret, maxRetries: 0 });

describe('the Anthropic SDK', () => {
  const messages = [{ role: 'user' as const, content: 'Hello there' }];

  it('counts tokens, in its stable and in its beta form', async () => {
    expect(await anthropic.messages.countTokens({ model: MODEL, messages })).toEqual({ input_tokens: 11 });
    const beta = await anthropic.beta.messages.countTokens({
      model: MODEL,
      messages,
      betas: ['context-1m-2025-08-07'],
    });
    expect(beta.input_tokens).toBe(11);
    expect(provider.requests.at(-1)?.headers['anthropic-beta']).toContain('context-1m-2025-08-07');
  });

  it('throws its own errors', async () => {
    const unknown = anthropic.messages.countTokens({ model: 'nothing', messages });
    await expect(unknown).rejects.toBeInstanceOf(Anthropic.NotFoundError);
    provider.next({ error: { status: 400 } });
    const refused = anthropic.messages.countTokens({ model: MODEL, messages });
    await expect(refused).rejects.toBeInstanceOf(Anthropic.BadRequestError);
  });
});

describe('the openai SDK', () => {
  it('requests base64, and decodes it to the same numbers as text', async () => {
    const input = ['The harbour was quiet.', 'Ships came in.'];
    const packed = await openai.embeddings.create({ model: MODEL, input });
    expect(JSON.parse(String(provider.requests[0]?.body))).toMatchObject({ encoding_format: 'base64' });
    const plain = await openai.embeddings.create({ model: MODEL, input, encoding_format: 'float' });
    expect(packed.data.map(({ embedding }) => [...embedding])).toEqual(
      plain.data.map(({ embedding }) => embedding),
    );
    expect(packed.data[0]?.embedding).toHaveLength(8);
    expect(packed.usage).toEqual({ prompt_tokens: 10, total_tokens: 10 });
  });

  it("is billed by the provider's count, over many concurrent requests", async () => {
    const { keyId, secret } = await gateway.createKey();
    const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: secret, maxRetries: 0 });
    const lengths = Array.from({ length: 20 }, (_, index) => 1 + index * 37);
    await Promise.all(
      lengths.map((length) =>
        client.embeddings.create({ model: MODEL, input: 'a'.repeat(length), dimensions: 2 }),
      ),
    );
    await waitForSpend(gateway, keyId);
    const counted = provider.requests.reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0), 0);
    const cost = provider.requests.reduce(
      (sum, { usage }) => sum + computeCost(usage ?? NO_USAGE, PRICES),
      0n,
    );
    await expect
      .poll(() => sumUsage(gateway.database.db, { accountId: null, keyId, since: null }))
      .toMatchObject({ requests: 20, errors: 0, inputTokens: counted, outputTokens: 0, costNanoUsd: cost });
  });

  it('throws its own errors', async () => {
    const empty = openai.embeddings.create({ model: MODEL, input: '' });
    await expect(empty).rejects.toMatchObject({ status: 400, param: 'input' });
  });
});
