/** In passthrough, a provider gets the caller's bytes, except what its quirks change. */
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, PRICES, type Harness } from '../gateway-fixture.ts';

const PROVIDERS = [
  ['mistral', 'mistral', ['of-mistral', 'of-both']],
  ['openai', 'openai', ['of-openai']],
  ['openrouter', 'openrouter', ['of-both']],
] as const;

let harness: Harness;
let api: TestApi;
let secret: string;
beforeAll(async () => {
  harness = await createHarness([]);
  for (const [name, preset, models] of PROVIDERS)
    await ensureBuiltIn(harness.database.db, {
      name,
      dialect: 'openai-chat',
      baseUrl: `${harness.provider.origin}/v1`,
      credentialEnv: null,
      preset,
      models: models.map((id) => ({
        id,
        upstreamModel: id === 'of-both' ? `${name}-model` : null,
        facts: {},
        prices: PRICES,
      })),
    });
  api = await startTestApi({ db: harness.database.db, runtime: 'node' });
  const { accountId } = await createAccountFixture(harness.database.db);
  ({ secret } = await createKeyFixture(harness.database.db, accountId));
});
beforeEach(() => harness.provider.reset());
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

const user = (content: unknown) => ({ role: 'user', content });
const called = (id: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }],
});
const result = (id: string, content = 'x') => ({ role: 'tool', tool_call_id: id, content });

const chat = (body: object) => post(`${api.baseUrl}/chat/completions`, body, { secret });

async function sentFor(body: object) {
  harness.provider.reset();
  const response = await chat(body);
  await response.text();
  const text = harness.provider.requests[0]?.body.toString() ?? '';
  return { status: response.status, dropped: response.headers.get('x-tollgate-dropped-params'), text };
}

const idsIn = (text: string) => [...text.matchAll(/"(?:id|tool_call_id)":"([^"]+)"/g)].map(([, id]) => id);

describe('a conversation that moves to Mistral', () => {
  const first = [user('Hi'), called('call_HJ8dLZ4nF0'), result('call_HJ8dLZ4nF0')];

  it('has short call ids, the same in each turn', async () => {
    const { text } = await sentFor({ model: 'of-mistral', messages: first });
    const [id] = idsIn(text);
    expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(idsIn(text)).toEqual([id, id]);
    const second = [...first, called('D681PevKs'), result('D681PevKs'), user('And?')];
    const next = await sentFor({ model: 'of-mistral', messages: second });
    expect(idsIn(next.text)).toEqual([id, id, 'D681PevKs', 'D681PevKs']);
  });

  it('has no roles and members that Mistral refuses', async () => {
    const signed = { extra_content: { google: { thought_signature: 'c2ln' } } };
    const [call] = called('D681PevKs').tool_calls;
    const messages = [
      { role: 'developer', content: 'Be brief.' },
      user([{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }]),
      { role: 'assistant', content: 'So', reasoning_content: 'Hm', tool_calls: [{ ...call, ...signed }] },
      result('D681PevKs'),
    ];
    const { text, dropped } = await sentFor({ model: 'of-mistral', messages, top_k: 4 });
    expect(dropped?.split(',').toSorted()).toEqual(['cache_control', 'top_k']);
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] };
    expect(parseJsonObject(text)).toEqual({
      model: 'of-mistral',
      messages: [
        { role: 'system', content: 'Be brief.' },
        user([{ type: 'text', text: 'Hi' }]),
        { role: 'assistant', content: [thinking, { type: 'text', text: 'So' }], tool_calls: [call] },
        result('D681PevKs'),
      ],
    });
  });

  it('is changed in the same way if it is large', async () => {
    const ofSize = (content: string) => ({
      model: 'of-mistral',
      messages: [...first, result('call_2', content)],
    });
    const small = await sentFor(ofSize('{"tool_call_id":"call_2"}'));
    const filler = '{"tool_call_id":"call_2"}'.repeat(20_000);
    const large = await sentFor(ofSize(filler));
    expect(large.status).toBe(200);
    expect(idsIn(large.text)).toEqual(idsIn(small.text));
    expect(large.text).toContain(JSON.stringify(filler));
  });
});

it('leaves every byte for a provider without quirks', async () => {
  const body = {
    model: 'of-openai',
    messages: [{ role: 'developer', content: 'x' }, called('call_1'), result('call_1')],
  };
  const { text } = await sentFor(body);
  expect(text).toBe(JSON.stringify(body));
});

describe('a document by its URL', () => {
  const file = { type: 'file', file: { filename: 'a.pdf', file_data: 'https://example.com/a.pdf' } };

  it('is refused if the provider does not take it', async () => {
    const response = await chat({ model: 'of-mistral', messages: [user([file])] });
    expect(response.status).toBe(400);
    expect(await readJson<ErrorBody>(response)).toMatchObject({
      error: { code: 'unsupported_parameter', param: 'messages.0.content.0' },
    });
    expect(harness.provider.requests).toEqual([]);
  });

  it('is sent to another provider of the model that takes it', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { status, text } = await sentFor({ model: 'of-both', messages: [user([file])] });
      expect([status, parseJsonObject(text)?.['model']]).toEqual([200, 'openrouter-model']);
      expect(text).toContain('https://example.com/a.pdf');
    }
  });
});
