import { ChatAnthropic } from '@langchain/anthropic';
import {
  HumanMessage,
  type AIMessageChunk,
  type BaseMessage,
  type UsageMetadata,
} from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
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

const gateway = await startAgentHarness();
const { provider } = gateway;
afterAll(() => gateway[Symbol.asyncDispose]());
afterEach(() => provider.reset());

const openAiChat = (model: string, more: object = {}) =>
  new ChatOpenAI({
    model,
    apiKey: gateway.secret,
    maxRetries: 0,
    configuration: { baseURL: gateway.baseUrl },
    ...more,
  });
const anthropic = (model: string, more: object = {}) =>
  new ChatAnthropic({
    model,
    apiKey: gateway.secret,
    anthropicApiUrl: gateway.baseUrl,
    maxRetries: 0,
    maxTokens: 4000,
    ...more,
  });

const weather = tool(({ city }: { city: string }) => getWeather(city), {
  name: 'weather',
  description: 'The weather of a city.',
  schema: z.object({ city: z.string() }),
});

type Model = ReturnType<typeof openAiChat> | ReturnType<typeof anthropic>;

/** An agent loop: runs tool calls and returns their results until there are no more calls. */
async function runLoop(model: Model, isStream: boolean) {
  const bound = model.bindTools([weather]);
  const messages: BaseMessage[] = [new HumanMessage(QUESTION)];
  const usage = { input: 0, output: 0 };
  for (let round = 0; round < 5; round++) {
    const answer: AIMessageChunk = isStream
      ? await gather(await bound.stream(messages))
      : await bound.invoke(messages);
    messages.push(answer);
    const counts = getCounts(answer);
    usage.input += counts.input_tokens;
    usage.output += counts.output_tokens;
    const { tool_calls: calls = [] } = answer;
    if (calls.length === 0) return { text: answer.text, usage, messages };
    for (const call of calls) messages.push(await weather.invoke({ ...call, type: 'tool_call' }));
  }
  throw new Error('The loop did not end');
}

function getCounts(answer: { usage_metadata?: UsageMetadata | undefined }): UsageMetadata {
  return answer.usage_metadata ?? { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
}

async function gather(stream: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk> {
  let whole: AIMessageChunk | null = null;
  for await (const chunk of stream) whole = whole === null ? chunk : whole.concat(chunk);
  if (whole === null) throw new Error('The stream was empty');
  return whole;
}

const responses = { useResponsesApi: true, zdrEnabled: true };
const AGENTS: { name: string; model: Model; countsInputAtStart: boolean }[] = [
  { name: 'ChatOpenAI on the Messages API', model: openAiChat(CLAUDE), countsInputAtStart: false },
  // Reads a stream's input tokens from its first event, when chat completions have not reported them yet.
  { name: 'ChatAnthropic on chat completions', model: anthropic(CHAT), countsInputAtStart: true },
  {
    name: 'ChatOpenAI with responses on the Messages API',
    model: openAiChat(CLAUDE, responses),
    countsInputAtStart: false,
  },
  {
    name: 'ChatOpenAI with responses on chat completions',
    model: openAiChat(CHAT, responses),
    countsInputAtStart: false,
  },
];

describe.each(AGENTS)('an agent of LangChain, $name', ({ model, countsInputAtStart }) => {
  it.each([false, true])('makes parallel calls and a second round, streamed: %s', async (isStream) => {
    provider.always({ agent: WEATHER_AGENT });
    const { text, usage } = await runLoop(model, isStream);
    expect(text).toBe(expectedAnswer());
    expect(getRefusals(gateway)).toBe(0);
    expect(provider.requests).toHaveLength(3);
    const total = totalUsage(gateway);
    expect(usage.output).toBe(total.output);
    if (isStream && countsInputAtStart) expect(usage.input).toBeGreaterThanOrEqual(total.input);
    else expect(usage.input).toBe(total.input);
  });

  it('returns structured output', async () => {
    provider.always({ agent: { turns: [{}] } });
    const schema = z.object({ city: z.string(), near: z.array(z.string()) });
    const expected = { city: 'sample', near: ['sample'] };
    expect(await model.withStructuredOutput(schema, { method: 'jsonSchema' }).invoke(QUESTION)).toEqual(
      expected,
    );
    const forced = model.withStructuredOutput(schema, { name: 'place', method: 'functionCalling' });
    expect(await forced.invoke(QUESTION)).toEqual(expected);
  });

  it('fails with the status of the refusal', async () => {
    for (const [status, seen] of [
      [429, 429],
      [400, 400],
    ] as const) {
      provider.next({ error: { status } });
      await expect(model.invoke(QUESTION)).rejects.toMatchObject({ status: seen });
    }
  });
});

describe('the reasoning of a model, through LangChain,', () => {
  const thinking = { thinking: { type: 'enabled', budget_tokens: 2000 } };

  it.each([
    ['gemini-3-flash', 'gemini', GEMINI_REASONING],
    ['openrouter-model', 'openrouter', ALL_REASONING],
    ['deepseek-model', 'deepseek', ['Two cities first.', 'Now the third.']],
  ] as const)('is returned to %s with ChatAnthropic', async (model, reasoning, back) => {
    provider.always({ agent: { ...WEATHER_AGENT, reasoning } });
    for (const isStream of [false, true]) {
      const { text } = await runLoop(anthropic(model, thinking), isStream);
      expect(text).toBe(expectedAnswer(back));
    }
    expect(getRefusals(gateway)).toBe(0);
  });

  // ChatOpenAI leaves out `reasoning` for unknown models, except these.
  it('is returned to an Anthropic model with ChatOpenAI and the Responses API', async () => {
    provider.always({ agent: WEATHER_AGENT });
    for (const isStream of [false, true]) {
      const model = openAiChat(CLAUDE, { ...responses, modelKwargs: { reasoning: { effort: 'high' } } });
      expect((await runLoop(model, isStream)).text).toBe(expectedAnswer(ALL_REASONING));
    }
    expect(getRefusals(gateway)).toBe(0);
  });

  it('is not required if chat completions of ChatOpenAI lose it', async () => {
    provider.always({ agent: WEATHER_AGENT });
    const model = openAiChat(CLAUDE, { modelKwargs: { reasoning_effort: 'high' } });
    expect((await runLoop(model, false)).text).toBe(expectedAnswer());
    expect(getRefusals(gateway)).toBe(0);
  });
});
