import type OpenAI from 'openai';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { MODEL } from '../gateway-fixture.ts';
import { NATIVE } from '../native-provider.ts';
import { startStoredHarness, TRANSLATED } from './stored-harness.ts';

const gateway = await startStoredHarness();
const { createClient, createAccount, harness, native, listSent } = gateway;
afterAll(() => gateway[Symbol.asyncDispose]());
beforeEach(() => {
  harness.provider.reset();
  native.seen.length = 0;
});

const CALL = { type: 'function_call' as const, call_id: 'call_1', name: 'find', arguments: '{}' };
const RESULT = { type: 'function_call_output' as const, call_id: 'call_1', output: 'Found' };
const HISTORY: OpenAI.Responses.ResponseInput = [
  { role: 'user', content: 'Find it' },
  CALL,
  RESULT,
  { role: 'user', content: 'Now change it' },
];
const getCompaction = ({ output }: OpenAI.Responses.CompactedResponse) => {
  const last = output.at(-1);
  if (last?.type !== 'compaction') throw new Error('The output does not end with a compaction');
  return last;
};

/** The texts of the messages; undefined: another item. */
const listTexts = ({ output }: OpenAI.Responses.CompactedResponse) =>
  output.map((item) => {
    const part = item.type === 'message' ? item.content[0] : undefined;
    return part !== undefined && 'text' in part ? part.text : undefined;
  });

describe.each([NATIVE, TRANSLATED])('a compaction by %s', (model) => {
  it('keeps what the user said, and replaces the rest in later requests', async () => {
    // Storing is off: nothing of it is needed.
    const { secret, accountId } = await createAccount(null);
    const client = createClient(secret);
    harness.provider.always({ answer: { text: 'It was found.' } });
    const compacted = await client.responses.compact({ model, input: HISTORY, instructions: 'Be brief.' });
    expect(compacted).toMatchObject({
      object: 'response.compaction',
      output: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Find it' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Now change it' }] },
        { type: 'compaction' },
      ],
    });
    expect(compacted.usage.output_tokens).toBeGreaterThan(0);
    const asked = JSON.stringify(listSent(model).at(-1));
    expect(asked).toContain('Be brief.');
    expect(asked).toContain('about to be replaced');

    const summary = model === NATIVE ? 'Done 1.' : 'It was found.';
    const again: OpenAI.Responses.ResponseInput = [
      ...(compacted.output as OpenAI.Responses.ResponseInputItem[]),
      { role: 'user', content: 'Go on' },
    ];
    await client.responses.create({ model, input: again });
    const sent = JSON.stringify(listSent(model).at(-1));
    expect(sent).toContain(`Summary of the earlier conversation, which it replaces:\\n\\n${summary}`);
    expect(sent).not.toContain('compaction');
    // A compaction of a compaction has one summary, and no message that the gateway wrote.
    const second = await client.responses.compact({ model, input: again });
    expect(second.output.map(({ type }) => type)).toEqual(['message', 'message', 'message', 'compaction']);
    const readBills = () => harness.database.db.sql<{ status: number }[]>`
      SELECT status FROM requests WHERE account_id = ${accountId} AND cost_nano_usd > 0`;
    const bill = { status: 200 };
    await expect.poll(readBills).toEqual([bill, bill, bill]);
  });

  it('reads large conversations in a thread', async () => {
    const client = createClient((await createAccount(null)).secret);
    const text = 'word '.repeat(60_000);
    const compacted = await client.responses.compact({ model, input: [{ role: 'user', content: text }] });
    expect(compacted.output[0]).toMatchObject({ content: [{ text }] });
    expect(compacted.output).toHaveLength(2);
  });
});

it('reads a large stored conversation in a thread', async () => {
  const client = createClient((await createAccount(7)).secret);
  const text = 'word '.repeat(60_000);
  const { id } = await client.responses.create({ model: NATIVE, input: text });
  const compacted = await client.responses.compact({ model: NATIVE, previous_response_id: id });
  expect(listTexts(compacted)).toEqual([text, undefined]);
});

it('keeps no messages of the model', async () => {
  const client = createClient((await createAccount(null)).secret);
  const input: OpenAI.Responses.ResponseInput = [
    { role: 'developer', content: 'Be brief' },
    { role: 'user', content: 'One' },
    { role: 'assistant', content: 'Done' },
  ];
  const { output } = await client.responses.compact({ model: NATIVE, input });
  expect(output).toMatchObject([{ role: 'user', content: [{ text: 'One' }] }, { type: 'compaction' }]);
});

it('is an error if its summary was cut off', async () => {
  const client = createClient((await createAccount(null)).secret);
  const choice = { index: 0, message: { role: 'assistant', content: 'It was' }, finish_reason: 'length' };
  const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 };
  const body = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: MODEL,
    choices: [choice],
    usage,
  };
  harness.provider.always({ replay: { body: JSON.stringify(body) } });
  const compacted = client.responses.compact({ model: TRANSLATED, input: HISTORY });
  await expect(compacted).rejects.toMatchObject({ status: 502 });
});

it('compacts a stored conversation', async () => {
  const client = createClient((await createAccount(7)).secret);
  const first = await client.responses.create({ model: NATIVE, input: 'One' });
  const continued = { model: NATIVE, previous_response_id: first.id };
  const compacted = await client.responses.compact({ ...continued, input: 'Two' });
  expect(native.seen.at(-1)?.input).toHaveLength(5);
  expect(listTexts(compacted)).toEqual(['One', 'Two', undefined]);
  expect(listTexts(await client.responses.compact(continued))).toEqual(['One', undefined]);
  // Of the first summary, which the stored input contains as a message, only the second one remains.
  const [, ...shortened] = compacted.output as OpenAI.Responses.ResponseInputItem[];
  const input = [...shortened, { role: 'user' as const, content: 'Three' }];
  const { id } = await client.responses.create({ model: NATIVE, input });
  const second = await client.responses.compact({ model: NATIVE, previous_response_id: id });
  expect(listTexts(second)).toEqual(['Two', 'Three', undefined]);
  expect(new Set(second.output.map((item) => item.id)).size).toBe(3);
  const refused = client.post('/responses/compact', { body: { model: NATIVE, conversation: 'conv_1' } });
  await expect(refused).rejects.toMatchObject({ status: 400, param: 'conversation' });
});

it('offers the tools of the conversation, but asks for none', async () => {
  const client = createClient((await createAccount(null)).secret);
  const tools = [{ type: 'function', name: 'find', parameters: { type: 'object', properties: {} } }];
  const body = { model: NATIVE, input: HISTORY, tools, tool_choice: 'auto', parallel_tool_calls: true };
  await client.post('/responses/compact', { body });
  expect(native.seen.at(-1)).toMatchObject({ tools: [{ name: 'find' }], tool_choice: 'none' });
  // This provider calls a tool nevertheless, so there is no summary.
  const unanswered = { ...body, input: 'Hello' };
  await expect(client.post('/responses/compact', { body: unanswered })).rejects.toMatchObject({
    status: 502,
  });
});

it('refuses a compaction that was changed, and leaves those of providers as they are', async () => {
  const client = createClient((await createAccount(null)).secret);
  const item = getCompaction(await client.responses.compact({ model: NATIVE, input: HISTORY }));
  const cut = { ...item, encrypted_content: item.encrypted_content.slice(0, -4) };
  const ask = (given: object) =>
    client.responses.create({
      model: NATIVE,
      input: [given as OpenAI.Responses.ResponseInputItem, { role: 'user', content: 'Hi' }],
    });
  await expect(ask(cut)).rejects.toMatchObject({ status: 400, param: 'input.0.encrypted_content' });
  const theirs = { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAAB' };
  await ask(theirs);
  expect(native.seen.at(-1)?.input[0]).toEqual(theirs);
});

it('is refused like any request', async () => {
  const { secret } = await createAccount(null);
  const client = createClient(secret);
  await expect(client.responses.compact({ model: 'no-such-model', input: 'Hi' })).rejects.toMatchObject({
    status: 404,
  });
  for (const input of [5, undefined, null, '', []] as never[])
    await expect(client.responses.compact({ model: NATIVE, input })).rejects.toMatchObject({
      status: 400,
      param: 'input',
    });
  await expect(
    createClient('sk-wrong').responses.compact({ model: NATIVE, input: 'Hi' }),
  ).rejects.toMatchObject({ status: 401 });
});
