import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { getFunctionName } from '@tollgate/dialects/portable-tools/function-name';
import type { AgentScript } from '@tollgate/testing/agent-model/agent-script';
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
  REASONING_MODELS,
  totalUsage,
  WEATHER_AGENT,
  getWeather,
} from './agent-harness.ts';
import { MOST_ABORT_MS, measureAbort } from '../faults/measure-abort.ts';

const gateway = await startAgentHarness();
const { provider } = gateway;
afterAll(() => gateway[Symbol.asyncDispose]());
afterEach(() => provider.reset());

const client = new Anthropic({ baseURL: gateway.baseUrl, apiKey: gateway.secret, maxRetries: 0 });
const ask = { max_tokens: 4000, messages: [{ role: 'user' as const, content: QUESTION }] };
const defineWeather = (name: string) =>
  betaZodTool({
    name,
    description: 'The weather of a city.',
    inputSchema: z.object({ city: z.string() }),
    run: ({ city }) => getWeather(city),
  });
const weather = defineWeather('weather');
/** The same, for calls without a runner. */
const plainTool: Anthropic.Tool = {
  name: 'weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

async function getFailure(work: Promise<unknown>): Promise<InstanceType<typeof Anthropic.APIError>> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Anthropic.APIError) return error;
  throw new Error(`Expected an APIError, got ${String(error)}`);
}

function getText(message: { content: readonly { type: string; text?: string }[] }): string {
  return message.content.map(({ type, text }) => (type === 'text' ? text : '')).join('');
}

describe.each([false, true])('an agent of the Anthropic SDK on chat completions, streamed: %s', (stream) => {
  it('makes parallel calls and a second round with toolRunner', async () => {
    provider.always({ agent: WEATHER_AGENT });
    const runner = client.beta.messages.toolRunner({ model: CHAT, ...ask, tools: [weather], stream });
    let input = 0;
    let output = 0;
    for await (const turn of runner) {
      const { usage } = 'finalMessage' in turn ? await turn.finalMessage() : turn;
      input += usage.input_tokens + (usage.cache_read_input_tokens ?? 0);
      output += usage.output_tokens;
    }
    const final = await runner.done();
    expect(getText(final)).toBe(expectedAnswer());
    expect(final.stop_reason).toBe('end_turn');
    expect(getRefusals(gateway)).toBe(0);
    expect(provider.requests).toHaveLength(3);
    expect({ input, output }).toEqual(totalUsage(gateway));
  });

  it.each([
    ['a small body', ''],
    ['a body that a thread translates', 'Be kind. '.repeat(40_000)],
  ])('calls a tool whose name is too long for chat completions, with %s', async (_name, system) => {
    const name = `mcp__plugin_${'long-name_'.repeat(8)}weather`;
    const calls = [{ name: getFunctionName(null, name), arguments: { city: 'Oslo' } }];
    const agent: AgentScript = {
      turns: [{ calls }, { calls }, ({ results }) => ({ says: results.map(({ text }) => text).join() })],
    };
    provider.always({ agent });
    const tools = [defineWeather(name)];
    const final = await client.beta.messages.toolRunner({ model: CHAT, ...ask, system, tools, stream });
    expect(getText(final)).toBe([getWeather('Oslo'), getWeather('Oslo')].join());
    expect(getRefusals(gateway)).toBe(0);
  });

  it('makes the same calls on a thinking model in its own dialect', async () => {
    provider.always({ agent: WEATHER_AGENT });
    const thinking = { type: 'enabled' as const, budget_tokens: 2000 };
    const runner = client.beta.messages.toolRunner({
      model: CLAUDE,
      ...ask,
      thinking,
      tools: [weather],
      stream,
    });
    expect(getText(await runner.runUntilDone())).toBe(expectedAnswer(ALL_REASONING));
    expect(getRefusals(gateway)).toBe(0);
  });

  it.each(REASONING_MODELS)('returns the reasoning of %s to it, unchanged', async (model, style) => {
    provider.always({ agent: { ...WEATHER_AGENT, reasoning: style } });
    const thinking = { type: 'enabled' as const, budget_tokens: 2000 };
    const runner = client.beta.messages.toolRunner({ model, ...ask, thinking, tools: [weather], stream });
    const final = await runner.runUntilDone();
    const shown = ALL_REASONING.filter((text) => style === 'openrouter' || text !== ALL_REASONING[1]);
    expect(getText(final)).toBe(expectedAnswer(style === 'gemini' ? GEMINI_REASONING : shown));
    expect(getRefusals(gateway)).toBe(0);
  });
});

describe('the helpers of the Anthropic SDK on chat completions', () => {
  it('emits events that match the final message', async () => {
    provider.always({ agent: WEATHER_AGENT });
    const stream = client.messages.stream({ model: CHAT, ...ask, tools: [plainTool] });
    let text = '';
    const inputs: unknown[] = [];
    stream.on('text', (delta) => void (text += delta));
    stream.on('contentBlock', (block) => void (block.type === 'tool_use' && inputs.push(block.input)));
    const message = await stream.finalMessage();
    expect(message.content).toMatchObject([
      { type: 'text', text },
      { type: 'tool_use', name: 'weather', input: inputs[0] },
      { type: 'tool_use', name: 'weather', input: inputs[1] },
    ]);
    expect([text, inputs]).toEqual(['I look at two.', [{ city: 'Oslo' }, { city: 'Reykjavík' }]]);
    expect(message.stop_reason).toBe('tool_use');
  });

  it('parses structured output', async () => {
    provider.always({ agent: { turns: [{}] } });
    const place = z.object({ city: z.string(), tags: z.array(z.enum(['north', 'south'])) });
    const output_config = { format: zodOutputFormat(place) };
    const message = await client.messages.parse({ model: CHAT, ...ask, output_config });
    expect(message.parsed_output).toEqual({ city: 'sample', tags: ['north'] });
    const streamed = await client.messages.stream({ model: CHAT, ...ask, output_config }).finalMessage();
    expect(streamed.parsed_output).toEqual({ city: 'sample', tags: ['north'] });
  });

  it('counts the tokens of a conversation with tools', async () => {
    const alone = await client.messages.countTokens({ model: CHAT, messages: ask.messages });
    const equipped = await client.messages.countTokens({
      model: CHAT,
      messages: ask.messages,
      tools: [plainTool],
    });
    expect(alone.input_tokens).toBeGreaterThan(5);
    expect(equipped.input_tokens).toBeGreaterThan(alone.input_tokens + 10);
  });

  it('forces a tool call, and reports a truncated response', async () => {
    provider.always({ agent: { turns: [{ says: 'one two three four' }] } });
    const forced = await client.messages.create({
      model: CHAT,
      ...ask,
      tools: [plainTool],
      tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
    });
    expect(forced.content.at(-1)).toMatchObject({ type: 'tool_use', input: { city: 'sample' } });
    const cut = await client.messages.create({ model: CHAT, ...ask, max_tokens: 2 });
    expect([getText(cut), cut.stop_reason]).toEqual(['one two', 'max_tokens']);
  });

  it('sends images of users and tools unchanged, and marks a failed tool result as an error', async () => {
    const source = { type: 'base64' as const, media_type: 'image/png' as const, data: 'aGVsbG8=' };
    provider.always({
      agent: {
        turns: [
          { calls: [{ name: 'weather', arguments: { city: 'Oslo' } }] },
          ({ images, results }) => ({
            says: [
              ...images,
              ...results.map(({ isError, text }) => `${isError} ${text.split('\n')[0]}`),
            ].join(),
          }),
        ],
      },
    });
    const tools = [plainTool];
    const messages: Anthropic.MessageParam[] = [
      {
        role: 'user',
        content: [
          { type: 'image', source },
          { type: 'text', text: 'Like this?' },
        ],
      },
    ];
    const called = await client.messages.create({ model: CHAT, max_tokens: 400, messages, tools });
    const use = called.content.find(({ type }) => type === 'tool_use');
    if (use?.type !== 'tool_use') throw new Error('no tool was called');
    const content: Anthropic.ToolResultBlockParam['content'] = [
      { type: 'text', text: 'No camera' },
      { type: 'image', source },
    ];
    messages.push(
      { role: 'assistant', content: called.content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: use.id, is_error: true, content }] },
    );
    const final = await client.messages.create({ model: CHAT, max_tokens: 400, messages, tools });
    const hello = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
    expect(getText(final)).toBe(`${hello},${hello},true Error: No camera`);
  });

  it('aborts within a stream, and the provider call ends within 100 ms', { retry: 2 }, async () => {
    provider.next({ agent: { turns: [{ says: 'word '.repeat(500) }] }, intervalMs: 20 });
    const tookMs = await measureAbort('Anthropic on chat completions', provider, async (leave) => {
      const stream = client.messages.stream({ model: CHAT, ...ask });
      let seen = 0;
      for await (const _event of stream) if (++seen === 5) leave(() => stream.abort());
    });
    expect(tookMs).toBeLessThan(MOST_ABORT_MS);
  });

  it('throws the class of each refusal, with the provider’s message', async () => {
    const create = () => getFailure(client.messages.create({ model: CHAT, ...ask }));
    provider.next({ error: { status: 429, retryAfterSeconds: 7 } });
    const limited = await create();
    expect(limited).toBeInstanceOf(Anthropic.RateLimitError);
    expect(limited.error).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });
    expect(limited.headers?.get('retry-after')).toBe('7');
    provider.next({ error: { status: 503 } });
    const overloaded = await create();
    expect(overloaded).toBeInstanceOf(Anthropic.InternalServerError);
    expect(overloaded.status).toBe(529);
    expect(overloaded.error).toMatchObject({ error: { type: 'overloaded_error' } });
    provider.next({ error: { status: 400 } });
    const refused = await create();
    expect(refused).toBeInstanceOf(Anthropic.BadRequestError);
    expect(refused.message).toContain('expected a string, but got an integer');
  });
});
