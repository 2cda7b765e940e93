import { createOpenAI } from '@ai-sdk/openai';
import { generateText, isStepCount, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { ResponsesToolRunner } from 'openai/helpers/responses-tool-runner';
import { zodTextFormat } from 'openai/helpers/zod';
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

const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.secret, maxRetries: 0 });
const citySchema = z.object({ city: z.string() });
const weather: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'weather',
  strict: true,
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
};
const stateless = { store: false, include: ['reasoning.encrypted_content' as const] };

/** The models, and the reasoning that is returned to each of them. */
const MODELS = [
  [CLAUDE, 'none', ALL_REASONING],
  [CHAT, 'none', []],
  ['gemini-3-flash', 'gemini', GEMINI_REASONING],
] as const;

describe.each(MODELS)('an agent of the Responses API on %s', (model, reasoning, back) => {
  const reasoningOptions = back.length > 0 ? { reasoning: { effort: 'high' as const } } : {};

  it.each([false, true])(
    'makes all calls with the tool runner of the openai SDK, streamed: %s',
    async (stream) => {
      provider.always({ agent: { ...WEATHER_AGENT, reasoning } });
      const execute = (given: Record<string, unknown>) => getWeather(citySchema.parse(given).city);
      const runner = new ResponsesToolRunner({ functions: [{ tool: weather, execute }] });
      const usage = { input: 0, output: 0 };
      let text = '';
      for await (const { response } of runner.iterate(
        client,
        { model, input: QUESTION, ...stateless, ...reasoningOptions },
        { stream },
      )) {
        usage.input += response.usage?.input_tokens ?? 0;
        usage.output += response.usage?.output_tokens ?? 0;
        text = response.output_text;
      }
      expect(text).toBe(expectedAnswer(back));
      expect(getRefusals(gateway)).toBe(0);
      expect(usage).toEqual(totalUsage(gateway));
    },
  );

  it.each([false, true])('makes all calls with the AI SDK, streamed: %s', async (isStream) => {
    provider.always({ agent: { ...WEATHER_AGENT, reasoning } });
    const call = {
      model: createOpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.secret }).responses(model),
      prompt: QUESTION,
      tools: { weather: tool({ inputSchema: citySchema, execute: ({ city }) => getWeather(city) }) },
      stopWhen: isStepCount(5),
      maxRetries: 0,
      providerOptions: {
        openai: {
          store: false,
          forceReasoning: true,
          include: ['reasoning.encrypted_content' as const],
          ...(back.length > 0 ? { reasoningEffort: 'high' } : {}),
        },
      },
    };
    const result = isStream ? streamText(call) : await generateText(call);
    expect(await result.text).toBe(expectedAnswer(back));
    expect((await result.steps).map(({ toolCalls }) => toolCalls.length)).toEqual([2, 1, 0]);
    expect(getRefusals(gateway)).toBe(0);
  });
});

describe.each([CLAUDE, CHAT])('the helpers of the Responses API on %s', (model) => {
  it('parse structured output', async () => {
    provider.always({ agent: { turns: [{}] } });
    const format = zodTextFormat(z.object({ city: z.string(), km: z.number() }), 'place');
    const response = await client.responses.parse({ model, input: QUESTION, text: { format } });
    expect(response.output_parsed).toEqual({ city: 'sample', km: 1 });
    const streamed = client.responses.stream({ model, input: QUESTION, text: { format } });
    expect((await streamed.finalResponse()).output_parsed).toEqual({ city: 'sample', km: 1 });
  });

  it('emit events that match the final response', async () => {
    provider.always({ agent: WEATHER_AGENT });
    const stream = client.responses.stream({ model, input: QUESTION, tools: [weather] });
    const called: string[] = [];
    let text = '';
    stream.on('response.output_text.delta', ({ delta }) => void (text += delta));
    stream.on('response.function_call_arguments.done', (event) => void called.push(event.arguments));
    const { output, output_text: final } = await stream.finalResponse();
    expect(final).toBe(text);
    expect(output.filter(({ type }) => type === 'function_call')).toMatchObject(
      called.map((given) => ({ name: 'weather', arguments: given })),
    );
    expect(called).toEqual(['{"city":"Oslo"}', '{"city":"Reykjavík"}']);
  });

  it('abort within a stream, and the provider call ends within 100 ms', { retry: 2 }, async () => {
    provider.next({ agent: { turns: [{ says: 'word '.repeat(500) }] }, intervalMs: 20 });
    const tookMs = await measureAbort(`responses on ${model}`, provider, async (leave) => {
      const stream = client.responses.stream({ model, input: QUESTION });
      let seen = 0;
      for await (const _event of stream) if (++seen === 8) leave(() => stream.abort());
    });
    expect(tookMs).toBeLessThan(MOST_ABORT_MS);
  });

  it('throw the class of each refusal', async () => {
    const failure = () =>
      client.responses.create({ model, input: QUESTION }).catch((error: unknown) => error);
    provider.next({ error: { status: 429 } });
    expect(await failure()).toBeInstanceOf(OpenAI.RateLimitError);
    provider.next({ error: { status: 529 } });
    expect(await failure()).toBeInstanceOf(OpenAI.InternalServerError);
    provider.next({ error: { status: 400 } });
    expect(await failure()).toBeInstanceOf(OpenAI.BadRequestError);
  });
});
