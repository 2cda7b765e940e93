import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { checkResponseStream } from '../conformance/check-response-stream.ts';
import { checkResponse } from '../conformance/check-response.ts';
import { createFakeProvider } from '../fake-provider/create-fake-provider.ts';
import { getPrompt, JOB_ANSWER, JOB_FILES } from './coding-job.ts';
import { createCodingModel } from './coding-model.ts';

type Json = Record<string, unknown>;

const provider = await createFakeProvider();
afterAll(() => provider.close());
beforeEach(() => {
  provider.reset();
  const model = createCodingModel({
    listRefusals: (_, body) => ('temperature' in body ? ["'temperature' is not supported"] : []),
  });
  provider.always(model.responses, { path: '/v1/responses' });
  provider.always(model.messages, { path: '/v1/messages' });
});

const object = { type: 'object', properties: {} };
const tools = [
  { type: 'custom', name: 'apply_patch' },
  { type: 'function', name: 'exec_command', parameters: object, strict: false },
];
const question = { role: 'user', content: getPrompt('/work') };

async function send(path: string, body: Json): Promise<{ status: number; text: string }> {
  const response = await fetch(provider.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model: 'm', ...body }),
  });
  return { status: response.status, text: await response.text() };
}

const ask = (input: unknown, more: Json = {}) =>
  send('/v1/responses', { tools, store: false, include: ['reasoning.encrypted_content'], input, ...more });

/** Adds the calls of a response and their results to the conversation. */
async function goOn(input: Json[], results: readonly string[]): Promise<Json[]> {
  const { status, text } = await ask(input);
  expect({ status, text }).toMatchObject({ status: 200 });
  expect(checkResponse(JSON.parse(text))).toEqual([]);
  const { output } = JSON.parse(text) as { output: Json[] };
  const calls = output.filter(({ call_id: id }) => id !== undefined);
  expect(calls).toHaveLength(results.length);
  return [
    ...input,
    ...output,
    ...calls.map(({ type, call_id }, at) => ({
      type: `${String(type)}_output`,
      call_id,
      output: results[at],
    })),
  ];
}

const NOTES = JOB_FILES['notes.txt'] ?? '';

describe("a coding agent's model with the Responses API", () => {
  it('does its job in four turns, and reads the beginning of the conversation from its cache', async () => {
    const long = { role: 'developer', content: 'Work with care. '.repeat(400) };
    let input: Json[] = [long, question];
    for (const results of [['Success'], [NOTES], ['first', 'second']]) input = await goOn(input, results);
    const { text } = await ask(input);
    expect(text).toContain(JOB_ANSWER);
    expect(provider.requests.map(({ usage }) => (usage?.cacheReadTokens ?? 0) > 0)).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  it('says what is missing if a result does not arrive', async () => {
    let input: Json[] = [question];
    for (const results of [['Success'], ['nothing'], ['first', 'second']]) input = await goOn(input, results);
    expect((await ask(input)).text).not.toContain(JOB_ANSWER);
  });

  it('streams custom calls, functions, reasoning and text as OpenAI does', async () => {
    let input: Json[] = [question];
    for (const results of [['Success'], [NOTES], ['first', 'second'], []]) {
      const { text } = await ask(input, { stream: true, reasoning: { summary: 'auto' } });
      expect(checkResponseStream(text, { ending: 'whole' })).toEqual([]);
      input = await goOn(input, results);
    }
  });

  const change = (items: Json[], type: string, members: Json) =>
    items.map((item) => (item['type'] === type ? { ...item, ...members } : item));
  const without = (items: Json[], type: string) => items.filter((item) => item['type'] !== type);

  it.each<[string, (items: Json[]) => Json[], RegExp]>([
    [
      'a call without its result',
      (items) => without(items, 'custom_tool_call_output'),
      /No tool output found/,
    ],
    [
      'a result without its call',
      (items) => without(without(items, 'custom_tool_call'), 'reasoning'),
      /No tool call found/,
    ],
    [
      'changed reasoning',
      (items) => change(items, 'reasoning', { encrypted_content: 'gAAA' }),
      /could not be verified/,
    ],
    [
      'unsealed reasoning',
      (items) => change(items, 'reasoning', { encrypted_content: null }),
      /not persisted/,
    ],
    ['reasoning at the end', (items) => [...items, items[1] ?? {}], /required following item/],
    [
      'an id of another kind',
      (items) => change(items, 'custom_tool_call', { id: 'fc_1' }),
      /begins with 'ctc'/,
    ],
    ['a long id', (items) => change(items, 'custom_tool_call', { id: `ctc_${'x'.repeat(64)}` }), /too long/],
    ['a reference', (items) => [...items, { type: 'item_reference', id: 'rs_1' }], /not persisted/],
    [
      'a result of another kind',
      (items) => change(items, 'custom_tool_call_output', { type: 'function_call_output' }),
      /No tool call found/,
    ],
    [
      'an unknown member',
      (items) => change(items, 'custom_tool_call', { odd: 1 }),
      /Invalid value for 'input\[2\]/,
    ],
  ])('refuses %s', async (_, spoil, message) => {
    const { status, text } = await ask(spoil(await goOn([question], ['Success'])));
    expect([status, text]).toEqual([400, expect.stringMatching(message)]);
  });

  it.each<[Json, RegExp]>([
    [{ temperature: 0.5 }, /temperature/],
    [{ max_output_tokens: 1 }, /minimum value/],
    [{ tool_choice: { type: 'function', name: 'other' } }, /not found in 'tools'/],
    [{ tools: [...tools, ...tools] }, /Duplicate tool name/],
    [{ previous_response_id: 'resp_1' }, /not found/],
    [{ odd: 1 }, /odd/],
  ])('refuses %j', async (members, message) => {
    const { status, text } = await ask([question], members);
    expect([status, text]).toEqual([400, expect.stringMatching(message)]);
  });
});

it('refuses a fifth cache breakpoint in the Messages API', async () => {
  const block = { type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } };
  const getBody = (count: number) => ({
    max_tokens: 10,
    messages: [{ role: 'user', content: Array.from({ length: count }, () => block) }],
  });
  expect((await send('/v1/messages', getBody(4))).status).toBe(200);
  expect(await send('/v1/messages', getBody(5))).toMatchObject({
    status: 400,
    text: expect.stringContaining('A maximum of 4 blocks with cache_control'),
  });
});
