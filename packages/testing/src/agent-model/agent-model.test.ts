import { afterAll, afterEach, describe, expect, it } from 'vitest';
import '../conformance/find-request-violation.ts';
import { createFakeProvider } from '../fake-provider/create-fake-provider.ts';
import type { AgentScript } from './agent-script.ts';

const provider = await createFakeProvider();
afterAll(() => provider.close());
afterEach(() => provider.reset());

type Json = Record<string, unknown>;

async function send(path: string, body: Json): Promise<{ status: number; body: Json }> {
  const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
  const response = await fetch(provider.origin + path, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: 'm', ...body }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const toMessages = (body: Json) => send('/v1/messages', { max_tokens: 4000, ...body });
const toChat = (body: Json) => send('/v1/chat/completions', body);
const play = (agent: AgentScript) => provider.always({ agent });

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const question = { role: 'user', content: 'The weather in Rome and Paris?' };
const calls = ['Rome', 'Paris'].map((city) => ({ name: 'weather', arguments: { city } }));
const AGENT: AgentScript = {
  turns: [
    { thinks: 'Two of them.', hides: 'Hidden.', calls },
    ({ results, reasoning }) => ({
      says: `${results.map(({ input, text }) => `${JSON.stringify(input)}=${text}`).join()} after ${reasoning.join('+')}`,
    }),
  ],
};

describe('agent model with the Messages API', () => {
  const tools = [{ name: 'weather', input_schema: schema }];
  const thinking = { type: 'enabled', budget_tokens: 2000 };
  const ask = { tools, thinking, messages: [question] };

  async function begin(): Promise<{ content: Json[]; results: Json[] }> {
    play(AGENT);
    const { body } = await toMessages(ask);
    const content = body['content'] as Json[];
    const uses = content.filter(({ type }) => type === 'tool_use');
    const results = uses.map(({ id }, at) => ({ type: 'tool_result', tool_use_id: id, content: `${at} °C` }));
    return { content, results };
  }

  const goOn = (content: unknown, results: unknown) =>
    toMessages({
      ...ask,
      messages: [question, { role: 'assistant', content }, { role: 'user', content: results }],
    });

  async function refusal(content: unknown, results: unknown): Promise<string> {
    const { status, body } = await goOn(content, results);
    expect(status).toBe(400);
    return (body['error'] as { message: string }).message;
  }

  it('calls tools in parallel, and responds from their results and its thinking', async () => {
    const { content, results } = await begin();
    expect(content.map(({ type }) => type)).toEqual([
      'thinking',
      'redacted_thinking',
      'tool_use',
      'tool_use',
    ]);
    expect((await goOn(content, results)).body).toMatchObject({
      stop_reason: 'end_turn',
      content: [{ text: '{"city":"Rome"}=0 °C,{"city":"Paris"}=1 °C after Two of them.+Hidden.' }],
    });
  });

  it('refuses a modified conversation', async () => {
    const { content, results } = await begin();
    const changed = (at: number, more: Json) =>
      content.map((block, index) => (index === at ? { ...block, ...more } : block));
    expect(await refusal(changed(0, { thinking: 'Three of them.' }), results)).toContain(
      'Invalid `signature`',
    );
    expect(await refusal(changed(1, { data: 'abc' }), results)).toContain('Invalid `data`');
    expect(await refusal(content.slice(2), results)).toContain('Expected `thinking`');
    expect(await refusal(content, results.slice(1))).toContain('without `tool_result` blocks');
    expect(await refusal(content, [{ type: 'text', text: 'So?' }, ...results])).toContain(
      'immediately after',
    );
    expect(await refusal(content, [...results, { ...results[0], tool_use_id: 'toolu_x' }])).toContain(
      'unexpected `tool_use_id`',
    );
    expect(await refusal(changed(2, { id: 'a.b' }), results)).toContain('should match pattern');
    expect(await refusal(changed(2, { index: 1 }), results)).toContain('Extra inputs are not permitted');
  });

  it.each<[string, Json, string]>([
    ['a member that it does not know', { frequency_penalty: 1 }, 'frequency_penalty: Extra inputs'],
    ['a request without a limit', { max_tokens: undefined }, 'max_tokens: Field required'],
    ['a temperature with thinking', { temperature: 0.5 }, 'may only be set to 1'],
    ['a forced tool with thinking', { tool_choice: { type: 'any' } }, 'forces tool use'],
    ['a budget above the limit', { max_tokens: 2000 }, 'must be greater than `thinking.budget_tokens`'],
    [
      'an open schema',
      { output_config: { format: { type: 'json_schema', schema } } },
      'additionalProperties',
    ],
    ['only spaces', { messages: [{ role: 'user', content: ' ' }] }, 'non-whitespace'],
    ['an opening by the assistant', { messages: [{ role: 'assistant', content: 'Hi' }] }, '"user" role'],
  ])('refuses %s', async (_name, more, words) => {
    play(AGENT);
    const { status, body } = await toMessages({ ...ask, ...more });
    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'error', error: { message: expect.stringContaining(words) } });
  });
});

describe('agent model with chat completions', () => {
  const tools = [{ type: 'function', function: { name: 'weather', parameters: schema } }];
  const ask = { tools, messages: [question] };

  async function begin(style: AgentScript['reasoning'] = 'none') {
    play({ ...AGENT, reasoning: style });
    const { body } = await toChat(ask);
    const [choice] = body['choices'] as { message: Json & { tool_calls: Json[] } }[];
    if (choice === undefined) throw new Error('no choice');
    const { message } = choice;
    const results = message.tool_calls.map(({ id }, at) => ({
      role: 'tool',
      tool_call_id: id,
      content: `${at} °C`,
    }));
    return { message, results };
  }

  const goOn = (message: unknown, results: readonly unknown[]) =>
    toChat({ ...ask, messages: [question, message, ...results] });

  it.each([
    ['none', ''],
    ['gemini', 'before weather'],
    ['openrouter', 'Two of them.+Hidden.'],
    ['deepseek', 'Two of them.'],
  ] as const)('continues from its reasoning in the format of %s', async (style, reasoning) => {
    const { message, results } = await begin(style);
    const { reasoning: _said, refusal: _none, ...given } = message;
    expect((await goOn(given, results)).body).toMatchObject({
      choices: [{ message: { content: `{"city":"Rome"}=0 °C,{"city":"Paris"}=1 °C after ${reasoning}` } }],
    });
  });

  it.each([
    ['gemini', 'missing a thought_signature'],
    ['openrouter', 'is missing'],
    ['deepseek', 'Missing `reasoning_content`'],
  ] as const)('refuses a turn without its reasoning in the format of %s', async (style, words) => {
    const { message, results } = await begin(style);
    const plain = message.tool_calls.map(({ extra_content: _signature, ...call }) => call);
    const { status, body } = await goOn({ role: 'assistant', content: null, tool_calls: plain }, results);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(words);
  });

  it('refuses results that do not match the previous calls', async () => {
    const { message, results } = await begin();
    const { refusal: _none, ...given } = message;
    const getWords = async (given: unknown, results: readonly unknown[]) =>
      JSON.stringify((await goOn(given, results)).body);
    expect(await getWords(given, results.slice(1))).toContain('did not have response messages');
    expect(await getWords(given, [...results, results[0]])).toContain("not found in 'tool_calls'");
    expect(await getWords({ role: 'assistant', content: 'Hm' }, results)).toContain('must be a response to');
    expect(await getWords({ ...given, reasoning_content: 'x' }, results)).toContain('Unknown parameter');
  });

  it.each<[string, Json, string]>([
    ['a member that it does not know', { max_output_tokens: 1 }, "Unknown parameter: 'max_output_tokens'"],
    ['a choice without tools', { tools: undefined, tool_choice: 'auto' }, 'only allowed when'],
    ['five stop sequences', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'array too long'],
    [
      'an open schema with strict',
      { response_format: { type: 'json_schema', json_schema: { name: 'a', schema, strict: true } } },
      "'additionalProperties' is required",
    ],
    [
      'JSON mode without the word in a message',
      { response_format: { type: 'json_object' } },
      'must contain the word',
    ],
  ])('refuses %s', async (_name, more, words) => {
    play(AGENT);
    const { status, body } = await toChat({ ...ask, ...more });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(words);
  });

  it('obeys a stop sequence, a token limit and a schema', async () => {
    play({ turns: [{ says: 'one two STOP three' }] });
    const { body: stopped } = await toChat({ messages: [question], stop: 'STOP' });
    expect(stopped).toMatchObject({ choices: [{ message: { content: 'one two ' }, finish_reason: 'stop' }] });
    const { body: short } = await toChat({ messages: [question], max_tokens: 1 });
    expect(short).toMatchObject({ choices: [{ message: { content: 'one' }, finish_reason: 'length' }] });
    play({ turns: [{}] });
    const closed = { ...schema, additionalProperties: false };
    const json_schema = { name: 'a', schema: closed, strict: true };
    const { body: fitting } = await toChat({
      messages: [question],
      response_format: { type: 'json_schema', json_schema },
    });
    expect(fitting).toMatchObject({ choices: [{ message: { content: '{"city":"sample"}' } }] });
  });
});
