import { createOpenAI } from '@ai-sdk/openai';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { generateText, isStepCount, streamText, tool, type ModelMessage } from 'ai';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, PRICES } from '../gateway-fixture.ts';
import { startResponsesProvider } from './responses-provider.ts';

/** The AI SDK treats the first as a model with reasoning, by its name. */
const NATIVE = ['gpt-5.4', 'gpt-4.1'] as const;

const responses = await startResponsesProvider();
const harness = await createHarness([MODEL]);
await ensureBuiltIn(harness.database.db, {
  name: 'responses',
  dialect: 'openai-responses',
  baseUrl: responses.baseUrl,
  credentialEnv: null,
  preset: null,
  models: NATIVE.map((id) => ({ id, upstreamModel: null, facts: {}, prices: PRICES })),
});
const api = await startTestApi({ db: harness.database.db, runtime: 'node' });
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
  await responses[Symbol.asyncDispose]();
});

const openai = createOpenAI({ baseURL: api.baseUrl, apiKey: harness.secret });
const tools = {
  weather: tool({
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => `It is sunny in ${city}.`,
  }),
};

async function converse(model: string, isStream: boolean, more: Partial<Parameters<typeof generateText>[0]>) {
  const messages: ModelMessage[] = [];
  const texts: string[] = [];
  for (const content of ['First', 'Second', 'Third']) {
    messages.push({ role: 'user', content });
    const call = {
      model: openai(model),
      messages,
      maxRetries: 0,
      stopWhen: isStepCount(3),
      tools: more.tools ?? {},
    };
    const result = isStream ? streamText(call) : await generateText(call);
    texts.push(await result.text);
    messages.push(...(await result.responseMessages));
  }
  return texts;
}

describe.each([false, true])('the default OpenAI provider of the AI SDK, streamed: %s', (isStream) => {
  it.each(NATIVE)(
    'continues a conversation with %s, whose provider speaks the Responses API',
    async (model) => {
      const texts = await converse(model, isStream, {});
      expect(texts.every((text) => /^Done \d+\.$/.test(text))).toBe(true);
      const { input } = responses.seen.at(-1) ?? { input: [] };
      const shown = JSON.stringify(input);
      for (const text of ['First', 'Second', 'Third', ...texts.slice(0, 2)])
        expect(shown).toContain(`"${text}"`);
      expect(shown).not.toContain('item_reference');
      expect(input.filter(({ type }) => type === 'reasoning')).toHaveLength(2);
    },
  );

  it.each(NATIVE)('calls tools of %s', async (model) => {
    await converse(model, isStream, { tools });
    const { input } = responses.seen.at(-1) ?? { input: [] };
    const called = input.filter(({ type }) => type === 'function_call');
    expect(called).toHaveLength(1);
    expect(input.filter(({ type }) => type === 'function_call_output')).toMatchObject([
      { call_id: called[0]?.call_id },
    ]);
    const types = input.map(({ type }) => type);
    expect(types.indexOf('reasoning')).toBeLessThan(types.indexOf('function_call'));
  });

  it('continues a conversation with tools that is translated', async () => {
    const texts = await converse(MODEL, isStream, { tools });
    expect(texts).toHaveLength(3);
    const body = harness.provider.requests.at(-1)?.body.toString() ?? '';
    for (const part of ['First', 'Second', 'Third', 'It is sunny in sample.', `Hello, this is ${MODEL}.`])
      expect(body).toContain(part);
  });
});

async function post(body: object): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(`${api.baseUrl}/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${harness.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5.4', input: 'Hi', ...body }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('a caller of the Responses API', () => {
  it.each([false, true])(
    'gets the bytes of the provider if it sets store: false, streamed: %s',
    async (stream) => {
      const { text, headers } = await post({ store: false, stream });
      expect(text).toBe(responses.sent.at(-1));
      expect(headers.get('x-tollgate-stored')).toBeNull();
    },
  );

  it('gets the bytes of a stream if it leaves store out and never refers to items', async () => {
    const { text, headers } = await post({ stream: true });
    expect(text).toBe(responses.sent.at(-1));
    expect(headers.get('x-tollgate-stored')).toBe('false');
  });

  it.each([{}, { store: true }])('can refer to each item of a response with %j', async (members) => {
    const { text, headers, status } = await post(members);
    expect([status, headers.get('x-tollgate-stored')]).toEqual([200, 'false']);
    const { output } = JSON.parse(text) as { output: { id: string }[] };
    const references = output.map(({ id }) => ({ type: 'item_reference', id }));
    const next = await post({ input: [...references, { role: 'user', content: 'Go on.' }] });
    expect(next.status).toBe(200);
    expect(responses.seen.at(-1)?.input).toMatchObject([
      { type: 'reasoning', id: expect.stringMatching(/^rs_\d+$/) },
      { type: 'message', id: expect.stringMatching(/^msg_\d+$/) },
      { role: 'user' },
    ]);
    const whole = await post({ input: [...(output as object[]), { role: 'user', content: 'Go on.' }] });
    expect(whole.status).toBe(200);
  });

  it('can refer to items in a large request, which a thread reads', async () => {
    const { output } = JSON.parse((await post({})).text) as { output: { id: string }[] };
    const references = output.map(({ id }) => ({ type: 'item_reference', id }));
    const next = await post({ input: [...references, { role: 'user', content: 'word '.repeat(60_000) }] });
    expect(next.status).toBe(200);
    expect(responses.seen.at(-1)?.input).toMatchObject([{ type: 'reasoning' }, { type: 'message' }, {}]);
  });

  it('is refused a reference to an item of someone else, or with a changed id', async () => {
    const { output } = JSON.parse((await post({})).text) as { output: { id: string }[] };
    const changed = output[0]?.id.slice(0, -1) ?? '';
    const getBody = (id: string) => ({
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'item_reference', id },
      ],
    });
    const getError = async (id: string) => JSON.parse((await post(getBody(id))).text) as object;
    expect(await getError('msg_other')).toMatchObject({ error: { param: 'input.1' } });
    expect(await getError(changed)).toMatchObject({
      error: { param: 'input.1.id', code: 'invalid_request' },
    });
  });
});
