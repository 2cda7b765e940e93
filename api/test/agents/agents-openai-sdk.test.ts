import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  CLAUDE,
  expectedAnswer,
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
const model = CLAUDE;
const messages = [{ role: 'user' as const, content: QUESTION }];
const tools = [
  {
    type: 'function' as const,
    function: {
      name: 'weather',
      description: 'The weather of a city.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      parse: (text: string) => z.object({ city: z.string() }).parse(JSON.parse(text)),
      function: ({ city }: { city: string }) => getWeather(city),
    },
  },
];

async function getFailure(work: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof OpenAI.APIError) return error;
  throw new Error(`Expected an APIError, got ${String(error)}`);
}

describe('an agent of the openai SDK on a model behind the Messages API', () => {
  it('makes parallel calls and a second round with runTools', async () => {
    provider.always({ agent: WEATHER_AGENT });
    const runner = client.chat.completions.runTools({ model, messages, tools });
    expect(await runner.finalContent()).toBe(expectedAnswer());
    expect(getRefusals(gateway)).toBe(0);
    expect(provider.requests).toHaveLength(3);
    const usage = await runner.totalUsage();
    const total = totalUsage(gateway);
    expect([usage.prompt_tokens, usage.completion_tokens]).toEqual([total.input, total.output]);
    expect(usage.total_tokens).toBe(total.input + total.output);
  });

  it('makes the same calls streamed, and emits each part once', async () => {
    provider.always({ agent: WEATHER_AGENT });
    const runner = client.chat.completions.runTools({
      model,
      messages,
      tools,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    const called: string[] = [];
    runner.on('content', (delta) => void (text += delta));
    runner.on('functionToolCall', (call) => void called.push(call.arguments));
    expect(await runner.finalContent()).toBe(expectedAnswer());
    expect(text).toBe(`I look at two.${expectedAnswer()}`);
    expect(called).toEqual(['{"city":"Oslo"}', '{"city":"Reykjavík"}', '{"city":"Rome"}']);
    expect(getRefusals(gateway)).toBe(0);
    const usage = await runner.totalUsage();
    const total = totalUsage(gateway);
    expect([usage.prompt_tokens, usage.completion_tokens]).toEqual([total.input, total.output]);
  });

  it('makes one call at a time if requested', async () => {
    provider.always({ agent: WEATHER_AGENT });
    const completion = await client.chat.completions.create({
      model,
      messages,
      tools: tools.map(({ type, function: { name, description, parameters } }) => ({
        type,
        function: { name, description, parameters },
      })),
      parallel_tool_calls: false,
    });
    expect(completion.choices[0]?.message.tool_calls).toHaveLength(1);
    expect(completion.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('parses structured output, whole and streamed', async () => {
    provider.always({ agent: { turns: [{}] } });
    const place = z.object({
      city: z.string(),
      near: z.array(z.object({ name: z.string(), km: z.number() })),
    });
    const ask = { model, messages, response_format: zodResponseFormat(place, 'place') };
    const expected = { city: 'sample', near: [{ name: 'sample', km: 1 }] };
    const completion = await client.chat.completions.parse(ask);
    expect(completion.choices[0]?.message.parsed).toEqual(expected);
    const stream = client.chat.completions.stream(ask);
    expect((await stream.finalChatCompletion()).choices[0]?.message.parsed).toEqual(expected);
  });

  it('forces a tool call, and reports a truncated or stopped response', async () => {
    provider.always({ agent: { turns: [{ says: 'one two three END four' }] } });
    const [tool] = tools;
    const { name, parameters } = tool?.function ?? { name: '', parameters: {} };
    const forced = await client.chat.completions.create({
      model,
      messages,
      tools: [{ type: 'function', function: { name, parameters } }],
      tool_choice: { type: 'function', function: { name } },
    });
    expect(forced.choices[0]?.message.tool_calls?.[0]).toMatchObject({
      function: { name: 'weather', arguments: '{"city":"sample"}' },
    });
    const stopped = await client.chat.completions.create({ model, messages, stop: ['END'] });
    expect(stopped.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: 'one two three ' },
    });
    const cut = await client.chat.completions.create({ model, messages, max_completion_tokens: 2 });
    expect(cut.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'one two' } });
  });

  it('sends an image unchanged', async () => {
    provider.always({ agent: { turns: [({ images }) => ({ says: images.join() })] } });
    const completion = await client.chat.completions.create({
      model,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,aGVsbG8=' } },
          ],
        },
      ],
    });
    // The SHA-256 of `hello`.
    expect(completion.choices[0]?.message.content).toBe(
      '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
    );
  });

  it('aborts within a stream, and the provider call ends within 100 ms', { retry: 2 }, async () => {
    provider.next({ agent: { turns: [{ says: 'word '.repeat(500) }] }, intervalMs: 20 });
    const tookMs = await measureAbort('openai on the Messages API', provider, async (leave) => {
      const stream = client.chat.completions.stream({ model, messages });
      let seen = 0;
      for await (const _chunk of stream) if (++seen === 5) leave(() => stream.abort());
    });
    expect(tookMs).toBeLessThan(MOST_ABORT_MS);
  });

  it('throws the class of each refusal, with the provider’s message', async () => {
    const ask = () => getFailure(client.chat.completions.create({ model, messages }));
    provider.next({ error: { status: 429, retryAfterSeconds: 7 } });
    const limited = await ask();
    expect(limited).toBeInstanceOf(OpenAI.RateLimitError);
    expect(limited.headers?.get('retry-after')).toBe('7');
    provider.next({ error: { status: 529 } });
    const overloaded = await ask();
    expect(overloaded).toBeInstanceOf(OpenAI.InternalServerError);
    expect(overloaded.status).toBe(503);
    provider.next({ error: { status: 400 } });
    const refused = await ask();
    expect(refused).toBeInstanceOf(OpenAI.BadRequestError);
    expect(refused.message).toContain('Input should be a valid string');
    expect(refused.type).toBe('invalid_request_error');
  });
});
