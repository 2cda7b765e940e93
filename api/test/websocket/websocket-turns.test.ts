import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openSocket, readText } from './socket-client.ts';
import { NATIVE } from '../native-provider.ts';
import { parseSent, startSocketHarness, TRANSLATED } from './socket-harness.ts';

const harness = await startSocketHarness();
const { provider, native } = harness;
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => provider.reset());

const user = (content: string) => ({ role: 'user', content });
const TOOLS = [{ type: 'function', name: 'get_weather', parameters: { type: 'object', properties: {} } }];

describe.each([
  ['natively', NATIVE],
  ['translated', TRANSLATED],
])('a WebSocket, %s', (_, model) => {
  it('sends the events of a stream as messages', async () => {
    await using socket = await harness.open();
    const last = await socket.ask({ model, input: 'Say hello.' });
    const types = socket.events.map(({ type }) => type);
    expect(types[0]).toBe('response.created');
    expect(types).toContain('response.output_text.delta');
    expect(last.type).toBe('response.completed');
    const deltas = socket.events.map(({ delta = '' }) => delta).join('');
    expect(readText(last)).toBe(deltas);
    expect(socket.events.every((event) => !('stream_id' in event))).toBe(true);
  });

  it('continues the response before, which it remembers', async () => {
    await using socket = await harness.open();
    const first = await socket.ask({ model, input: [user('One.')], store: false });
    const second = await socket.ask({
      model,
      input: [user('Two.')],
      store: false,
      previous_response_id: first.response?.id,
    });
    expect(second.response?.previous_response_id).toBe(first.response?.id);
    const third = await socket.ask({
      model,
      input: [user('Three.')],
      store: false,
      previous_response_id: second.response?.id,
    });
    expect(third.type).toBe('response.completed');
    const sent =
      model === NATIVE
        ? JSON.stringify(native.seen.at(-1)?.input)
        : JSON.stringify(parseSent(provider.requests.at(-1)?.body ?? Buffer.alloc(0))['messages']);
    // The translated model always says the same.
    let from = 0;
    for (const text of ['One.', readText(first), 'Two.', readText(second), 'Three.']) {
      const at = sent.indexOf(text, from);
      expect([text, at]).not.toEqual([text, -1]);
      from = at + text.length;
    }
  });

  it('continues a tool call with its result alone', async () => {
    await using socket = await harness.open();
    const asked = await socket.ask({ model, input: 'The weather?', tools: TOOLS, store: false });
    const call = asked.response?.output.find(({ type }) => type === 'function_call');
    const result = { type: 'function_call_output', call_id: call?.call_id, output: 'Sunny.' };
    const last = await socket.ask({
      model,
      input: [result],
      tools: TOOLS,
      store: false,
      previous_response_id: asked.response?.id,
    });
    expect(last.type).toBe('response.completed');
    expect(readText(last)).not.toBe('');
  });

  it('takes the start of a conversation ahead, in several messages, free of charge', async () => {
    await using socket = await harness.open();
    const { length } = native.seen;
    const start = { model, tools: TOOLS, store: false };
    const first = await socket.ask({ ...start, generate: false, input: [user('One.')] });
    expect(first).toMatchObject({
      type: 'response.completed',
      response: { status: 'completed', output: [] },
    });
    expect(first.response?.id).toMatch(/^resp_\w+$/);
    const more = await socket.ask({
      ...start,
      generate: false,
      input: [],
      previous_response_id: first.response?.id,
    });
    expect(native.seen.length + provider.requests.length).toBe(length);
    const last = await socket.ask({
      ...start,
      input: [user('Two.')],
      tools: [],
      previous_response_id: more.response?.id,
    });
    expect(last).toMatchObject({ response: { previous_response_id: more.response?.id } });
    const sent =
      model === NATIVE ? JSON.stringify(native.seen.at(-1)) : String(provider.requests.at(-1)?.body);
    expect(sent).toMatch(/One\..*Two\./);
  });

  it('serves streams at the same time, and one response of a stream after the other', async () => {
    await using socket = await harness.open();
    if (model === TRANSLATED) provider.always({ answer: { words: 5 }, intervalMs: 20 });
    for (const stream_id of ['a', 'b', 'a']) socket.create({ model, input: 'Hi.', stream_id });
    for (let ended = 0; ended < 3; ended += 1)
      expect((await socket.next(({ type }) => type === 'response.completed')).type).toBe(
        'response.completed',
      );
    const listTypes = (id: string) =>
      socket.events.filter(({ stream_id }) => stream_id === id).map(({ type }) => type);
    const ofA = listTypes('a').filter((type) => /created|completed/.test(type));
    expect(ofA).toEqual(['response.created', 'response.completed', 'response.created', 'response.completed']);
    expect(listTypes('b').at(-1)).toBe('response.completed');
    // A stream may continue the response of another.
    const ofB = socket.events.findLast(
      ({ stream_id, type }) => stream_id === 'b' && type === 'response.completed',
    );
    const fork = await socket.ask({
      model,
      input: 'And?',
      stream_id: 'c',
      previous_response_id: ofB?.response?.id,
    });
    expect(fork).toMatchObject({ type: 'response.completed', stream_id: 'c' });
  });
});

it('says that it does not know a response of another connection', async () => {
  await using first = await harness.open();
  await using second = await harness.open();
  const answered = await first.ask({ model: NATIVE, input: 'Hi.', store: false });
  const refused = await second.ask({
    model: NATIVE,
    input: 'Hi.',
    previous_response_id: answered.response?.id,
    stream_id: 'x',
  });
  expect(refused).toMatchObject({
    type: 'error',
    status: 400,
    stream_id: 'x',
    error: {
      code: 'previous_response_not_found',
      param: 'previous_response_id',
      type: 'invalid_request_error',
    },
    headers: { 'x-should-retry': 'false', 'x-request-id': expect.stringMatching(/^req_/) },
  });
  // The connection can still be used.
  expect(await second.ask({ model: NATIVE, input: 'Hi.' })).toMatchObject({ type: 'response.completed' });
});

it.each([
  ['no JSON', 'hello', 'invalid_json', undefined],
  ['a list', '[]', 'invalid_json', undefined],
  ['two meanings', '{"type":"response.create","type":"x"}', 'invalid_request', undefined],
  ['another type', '{"type":"response.steer"}', 'invalid_request', 'type'],
  ['no type', '{"model":"native-model","input":"Hi."}', 'invalid_request', 'type'],
  ['a wrong stream', '{"type":"response.create","stream_id":"a b"}', 'invalid_stream_id', 'stream_id'],
  [
    'a wrong id',
    '{"type":"response.create","previous_response_id":1}',
    'invalid_request',
    'previous_response_id',
  ],
  ['background', '{"type":"response.create","background":true}', 'unsupported_parameter', 'background'],
  ['no input', '{"type":"response.create","model":"native-model"}', 'invalid_request', 'input'],
  ['an unknown model', '{"type":"response.create","model":"x","input":"Hi."}', 'model_not_found', 'model'],
])('refuses %s and stays open', async (_, message, code, param) => {
  await using socket = await harness.open();
  socket.webSocket.send(message);
  const refused = await socket.next(({ type }) => type === 'error');
  expect(refused.error?.code).toBe(code);
  if (param !== undefined) expect(refused.error?.param).toBe(param);
  expect(await socket.ask({ model: NATIVE, input: 'Hi.' })).toMatchObject({ type: 'response.completed' });
});

it('refuses binary messages, and ignores the reports of Codex', async () => {
  await using socket = await harness.open();
  socket.webSocket.send(JSON.stringify({ type: 'response.processed', response_id: 'resp_1' }));
  socket.webSocket.send(Buffer.from('{}'));
  expect(await socket.next(() => true)).toMatchObject({ type: 'error', status: 400 });
});

it('reads large messages in a thread, and continues them', async () => {
  await using socket = await harness.open();
  const long = 'word '.repeat(100_000);
  const first = await socket.ask({ model: NATIVE, input: [user(long)], store: false, stream_id: 'large' });
  const last = await socket.ask({
    model: NATIVE,
    input: [user('Go on.')],
    store: false,
    stream_id: 'large',
    previous_response_id: first.response?.id,
  });
  expect(last.type).toBe('response.completed');
  const sent = JSON.stringify(native.seen.at(-1)?.input);
  expect(sent.length).toBeGreaterThan(long.length);
  expect(sent).toContain('Go on.');
});

it('sends the provider nothing about the WebSocket', async () => {
  const headers = { 'openai-beta': 'responses_websockets=2026-02-06, assistants=v2' };
  await using socket = await openSocket(harness.api.baseUrl, harness.secret, { headers });
  await socket.ask({ model: NATIVE, input: 'Hi.', stream_id: 'main' });
  const body = native.seen.at(-1);
  expect(body).toMatchObject({ stream: true, store: false });
  expect(native.headers.at(-1)).toMatchObject({ 'openai-beta': 'assistants=v2' });
  for (const name of ['type', 'stream_id', 'generate']) expect(body).not.toHaveProperty(name);
});
