import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import {
  APICallError,
  generateText,
  isStepCount,
  jsonSchema,
  streamText,
  tool,
  type LanguageModel,
} from 'ai';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { MODEL, startGateway } from '../gateway-fixture.ts';

const gateway = await startGateway({ models: [MODEL, 'other-model'] });
const { provider } = gateway;
afterAll(() => gateway[Symbol.asyncDispose]());
beforeEach(() => provider.reset());

const baseURL = gateway.baseUrl;
type ModelOf = (apiKey: string, model?: string) => LanguageModel;
const MODELS: [string, ModelOf][] = [
  ['openai chat', (apiKey, model = MODEL) => createOpenAI({ baseURL, apiKey }).chat(model)],
  ['anthropic', (apiKey, model = MODEL) => createAnthropic({ baseURL, apiKey })(model)],
];
const ask = { prompt: 'Say something.', maxOutputTokens: 64 };

describe.each(MODELS)('the AI SDK with its %s provider', (_name, getModel) => {
  const model = getModel(gateway.secret);

  async function statusOfFailure(apiKey: string, modelId = MODEL): Promise<[number | undefined, string]> {
    try {
      await generateText({ model: getModel(apiKey, modelId), ...ask, maxRetries: 0 });
    } catch (error) {
      if (APICallError.isInstance(error)) return [error.statusCode, error.message];
      throw error;
    }
    throw new Error('The call was expected to fail');
  }

  it('generates text', async () => {
    provider.next({ answer: { text: 'Good morning to you.' } });
    const { text, usage, finishReason } = await generateText({ model, ...ask });
    expect([text, usage.outputTokens, finishReason]).toEqual(['Good morning to you.', 4, 'stop']);
  });

  it('streams text with its usage', async () => {
    const result = streamText({ model, ...ask });
    expect((await Array.fromAsync(result.textStream)).join('')).toContain(`Hello, this is ${MODEL}.`);
    expect((await result.usage).outputTokens).toBe(12);
  });

  it('calls a tool and continues with its result', async () => {
    const inputSchema = jsonSchema<{ city: string }>({
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    });
    const execute = ({ city }: { city: string }) => `It is sunny in ${city}.`;
    const tools = { get_weather: tool({ description: 'The weather', inputSchema, execute }) };
    const { steps, text } = await generateText({ model, ...ask, tools, stopWhen: isStepCount(3) });
    expect(steps[0]?.toolResults).toMatchObject([{ output: 'It is sunny in sample.' }]);
    expect([steps.length, text]).toEqual([2, expect.stringContaining(`Hello, this is ${MODEL}.`)]);
  });

  it('aborts in the middle of a stream, and the provider notices within half a second', async () => {
    provider.next({ answer: { words: 500 }, intervalMs: 20 });
    const leaving = new AbortController();
    const result = streamText({ model, ...ask, abortSignal: leaving.signal, onError: () => undefined });
    let leftAtMs = 0;
    let seen = 0;
    for await (const _text of result.textStream) {
      seen += 1;
      if (seen !== 5) continue;
      leftAtMs = performance.now();
      leaving.abort();
    }
    const [record] = provider.requests;
    await record?.finished;
    expect(record?.outcome).toBe('aborted');
    expect(Number(record?.abortedAtMs) - leftAtMs).toBeLessThan(500);
  });

  it('reads the status and the message of each refusal', async () => {
    const { secret } = await gateway.createKey({ allowedModels: ['other-model'] });
    expect(await statusOfFailure(`sk-${'0'.repeat(48)}`)).toEqual([
      401,
      expect.stringMatching(/^Authentication Error/),
    ]);
    expect(await statusOfFailure(secret)).toEqual([
      403,
      expect.stringMatching(/^key not allowed to access model/),
    ]);
    expect(await statusOfFailure(gateway.secret, 'no-such-model')).toEqual([404, expect.any(String)]);
    provider.next({ error: { status: 400 } });
    expect(await statusOfFailure(gateway.secret)).toEqual([400, expect.any(String)]);
  });

  it('returns an error part when the provider breaks off in the middle of a stream', async () => {
    provider.next({ answer: { words: 50 }, cutAfterBytes: 2_000 });
    const errors: unknown[] = [];
    const result = streamText({ model, ...ask, onError: ({ error }) => void errors.push(error) });
    const parts = await Array.fromAsync(result.fullStream);
    expect(errors).toHaveLength(1);
    expect(parts.some((part) => part.type === 'error')).toBe(true);
  });
});
