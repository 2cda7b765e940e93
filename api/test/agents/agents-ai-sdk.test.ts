import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { APICallError, generateText, isStepCount, Output, streamText, tool, type LanguageModel } from 'ai';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  ALL_REASONING,
  CHAT,
  CLAUDE,
  expectedAnswer,
  GEMINI_REASONING,
  QUESTION,
  getRefusals,
  startAgentHarness,
  totalUsage,
  WEATHER_AGENT,
  getWeather,
} from './agent-harness.ts';
import { MOST_ABORT_MS, measureAbort } from '../faults/measure-abort.ts';

const gateway = await startAgentHarness();
const { provider } = gateway;
afterAll(() => gateway[Symbol.asyncDispose]());
afterEach(() => provider.reset());

const settings = { baseURL: gateway.baseUrl, apiKey: gateway.secret };
const openai = createOpenAI(settings);
const anthropic = createAnthropic(settings);
const weather = tool({
  description: 'The weather of a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => getWeather(city),
});

const MODELS: [string, LanguageModel][] = [
  ['OpenAI’s chat provider on the Messages API', openai.chat(CLAUDE)],
  ['Anthropic’s provider on chat completions', anthropic(CHAT)],
];

describe.each(MODELS)('an agent of the AI SDK, %s', (name, model) => {
  const ask = { model, maxRetries: 0, prompt: QUESTION };

  it.each([false, true])('makes parallel calls and a second round, streamed: %s', async (isStream) => {
    provider.always({ agent: WEATHER_AGENT });
    const call = { ...ask, tools: { weather }, stopWhen: isStepCount(5) };
    const result = isStream ? streamText(call) : await generateText(call);
    expect(await result.text).toBe(expectedAnswer());
    const steps = await result.steps;
    expect(steps.map(({ toolCalls, finishReason }) => [toolCalls.length, finishReason])).toEqual([
      [2, 'tool-calls'],
      [1, 'tool-calls'],
      [0, 'stop'],
    ]);
    const total = totalUsage(gateway);
    const sum = (count: (usage: (typeof steps)[number]['usage']) => number | undefined) =>
      steps.reduce((all, { usage }) => all + (count(usage) ?? 0), 0);
    expect(sum(({ inputTokens }) => inputTokens)).toBe(total.input);
    expect(sum(({ outputTokens }) => outputTokens)).toBe(total.output);
    expect(getRefusals(gateway)).toBe(0);
  });

  it('generates objects, whole and streamed', async () => {
    provider.always({ agent: { turns: [{}] } });
    const schema = z.object({ city: z.string(), near: z.array(z.object({ km: z.number() })) });
    const output = Output.object({ schema });
    const expected = { city: 'sample', near: [{ km: 1 }] };
    expect((await generateText({ ...ask, output })).output).toEqual(expected);
    const streamed = streamText({ ...ask, output });
    const partial = await Array.fromAsync(streamed.partialOutputStream);
    expect(partial.at(-1)).toEqual(expected);
    expect(await streamed.output).toEqual(expected);
  });

  it('sends an image unchanged', async () => {
    provider.always({ agent: { turns: [({ images }) => ({ says: images.join() })] } });
    const image = { type: 'image' as const, image: Buffer.from('hello'), mediaType: 'image/png' };
    const messages = [
      { role: 'user' as const, content: [{ type: 'text' as const, text: 'What is this?' }, image] },
    ];
    const { text } = await generateText({ model, maxRetries: 0, messages });
    expect(text).toBe('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
  });

  it('aborts within a stream, and the provider call ends within 100 ms', { retry: 2 }, async () => {
    provider.next({ agent: { turns: [{ says: 'word '.repeat(500) }] }, intervalMs: 20 });
    const tookMs = await measureAbort(name, provider, async (leave) => {
      const leaving = new AbortController();
      const { textStream } = streamText({ ...ask, abortSignal: leaving.signal, onError: () => undefined });
      let seen = 0;
      for await (const _text of textStream) if (++seen === 5) leave(() => leaving.abort());
    });
    expect(tookMs).toBeLessThan(MOST_ABORT_MS);
  });

  it('reads the status of each refusal, and whether to retry', async () => {
    const failure = async () => {
      const error: unknown = await generateText(ask).catch((reason: unknown) => reason);
      return APICallError.isInstance(error) ? [error.statusCode, error.isRetryable] : error;
    };
    provider.next({ error: { status: 429 } });
    expect(await failure()).toEqual([429, true]);
    provider.next({ error: { status: 529 } });
    expect(await failure()).toEqual([expect.any(Number), true]);
    provider.next({ error: { status: 400 } });
    expect(await failure()).toEqual([400, false]);
  });
});

describe('the reasoning of a model behind chat completions', () => {
  it.each([
    ['gemini-3-flash', 'gemini', GEMINI_REASONING],
    ['openrouter-model', 'openrouter', ALL_REASONING],
    ['deepseek-model', 'deepseek', ['Two cities first.', 'Now the third.']],
  ] as const)('is returned to %s through Anthropic’s provider', async (model, reasoning, back) => {
    provider.always({ agent: { ...WEATHER_AGENT, reasoning } });
    for (const isStream of [false, true]) {
      const call = {
        model: anthropic(model),
        maxRetries: 0,
        prompt: QUESTION,
        maxOutputTokens: 2000,
        tools: { weather },
        stopWhen: isStepCount(5),
        providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1500 } } },
      };
      const result = isStream ? streamText(call) : await generateText(call);
      expect(await result.text).toBe(expectedAnswer(back));
      expect(getRefusals(gateway)).toBe(0);
    }
  });
});
