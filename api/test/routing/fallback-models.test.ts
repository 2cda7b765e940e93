import type { FallbackClass } from '@tollgate/core/models/fallback-model';
import type { Script } from '@tollgate/testing/fake-provider/script';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { TESTED_ENDPOINTS } from '../tested-endpoints.ts';
import { CHAT, createFallbackGateway } from './fallback-gateway.ts';

const gateway = await createFallbackGateway();
const { chat, claude, addModel, addFallback, ask, findRecord } = gateway;
afterEach(() => {
  chat.reset();
  claude.reset();
});
afterAll(() => gateway[Symbol.asyncDispose]());

const HEADER = 'x-tollgate-requested-model';
const OVERLOADED: Script = { error: { status: 503 } };

/** A model at the chat provider with a dearer one at Anthropic's as its fallback model. */
async function addPair(classes?: readonly FallbackClass[]): Promise<{ model: string; fallback: string }> {
  const model = await addModel();
  const fallback = await addModel({ provider: 'claude', inputPrice: 7_000, outputPrice: 11_000 });
  await addFallback(model, fallback, classes);
  return { model, fallback };
}

const CELLS = TESTED_ENDPOINTS.flatMap((endpoint) =>
  [true, false].flatMap((stream) =>
    (['chat', 'claude'] as const).map((from) => ({ endpoint, path: endpoint.path, stream, from })),
  ),
);

describe.each(CELLS)('$path, streamed: $stream, first at $from', ({ endpoint, stream, from }) => {
  it('is answered by the fallback model and costs its price', async () => {
    const to = from === 'chat' ? 'claude' : 'chat';
    const model = await addModel({ provider: from });
    const fallback = await addModel({ provider: to, inputPrice: 7_000, outputPrice: 11_000 });
    await addFallback(model, fallback);
    gateway[from].always(OVERLOADED);
    const response = await ask(endpoint, model, { stream });
    const text = await response.text();
    expect({ status: response.status, text }).toMatchObject({ status: 200 });
    const names = [...text.matchAll(/"model": ?"([^"]*)"/g)].map(([, name]) => name);
    expect(new Set(names)).toEqual(new Set([`upstream-of-${fallback}`]));
    expect(response.headers.get(HEADER)).toBe(model);
    expect(text).not.toContain('"error":{');
    const record = await findRecord(response);
    const usage = gateway[to].requests[0]?.usage;
    expect(record).toMatchObject({
      model: fallback,
      requested: model,
      priceModel: fallback,
      provider: to,
      input: usage?.inputTokens,
      output: usage?.outputTokens,
      cost: String((usage?.inputTokens ?? NaN) * 7_000 + (usage?.outputTokens ?? NaN) * 11_000),
    });
    const attempts = record.attempts?.map((each) => `${each.model} ${each.outcome}`);
    expect(attempts?.at(-1)).toBe(`${fallback} answered`);
    expect(new Set(attempts?.slice(0, -1))).toEqual(new Set([`${model} status_503`]));
  });
});

describe('a model with a fallback model', () => {
  it('answers itself while it can, and says so', async () => {
    const { model } = await addPair();
    const response = await ask(CHAT, model);
    expect(response.headers.get(HEADER)).toBe(model);
    expect(claude.requests).toHaveLength(0);
    expect(await findRecord(response)).toMatchObject({
      model,
      requested: null,
      priceModel: model,
      attempts: null,
    });
  });

  it.each<[string, Script, readonly FallbackClass[], boolean]>([
    ['an error', { error: { status: 500 } }, ['failure'], true],
    ['an error', { error: { status: 500 } }, ['overload', 'context', 'policy'], false],
    ['an overload', { error: { status: 529 } }, ['overload'], true],
    ['an overload', { error: { status: 529 } }, ['failure'], true],
    ['an overload', { error: { status: 529 } }, ['context', 'policy'], false],
    ['a rate limit', { error: { status: 429, retryAfterSeconds: 60 } }, ['overload'], true],
    ['a broken connection', { cutBeforeHeaders: true }, ['failure'], true],
    ['a long input', refusal('context_length_exceeded'), ['context'], true],
    ['a long input', refusal('context_length_exceeded'), ['failure', 'overload', 'policy'], false],
    ['refused content', refusal('content_policy_violation'), ['policy'], true],
    ['refused content', refusal('content_policy_violation'), ['failure', 'overload', 'context'], false],
    ['a bad request', { error: { status: 400 } }, ['failure', 'overload', 'context', 'policy'], false],
  ])('passes on %s (%o) to one for %o: %s', async (_, script, classes, isPassed) => {
    const { model, fallback } = await addPair(classes);
    chat.always(script);
    const response = await ask(CHAT, model, { stream: true });
    await response.text();
    expect([response.status === 200, claude.requests.length]).toEqual([isPassed, isPassed ? 1 : 0]);
    expect((await findRecord(response)).model).toBe(isPassed ? fallback : model);
  });

  it('passes a long input only to a model that may take more', async () => {
    const model = await addModel({ contextTokens: 100_000 });
    const smaller = await addModel({ contextTokens: 50_000 });
    const larger = await addModel({ contextTokens: 200_000 });
    for (const fallback of [smaller, larger]) await addFallback(model, fallback);
    chat.next(refusal('context_length_exceeded'));
    const response = await ask(CHAT, model);
    expect((await findRecord(response)).attempts?.map((each) => each.model)).toEqual([model, larger]);
  });

  it('tries each one once, in their order, and no fallback models of theirs', async () => {
    const model = await addModel();
    const [second, third, unused] = [await addModel(), await addModel(), await addModel()];
    await addFallback(model, second);
    await addFallback(model, third);
    await addFallback(second, unused);
    await addFallback(second, model);
    await addFallback(third, model);
    chat.always({ error: { status: 500 } });
    const response = await ask(CHAT, model);
    expect(response.status).toBeGreaterThanOrEqual(500);
    const tried = (await findRecord(response)).attempts?.map((each) => each.model) ?? [];
    expect([...new Set(tried)]).toEqual([model, second, third]);
    expect(tried.lastIndexOf(model)).toBeLessThan(tried.indexOf(second));
  });

  it('is not replaced after the first content of a stream', async () => {
    const { model } = await addPair();
    chat.always({ answer: { words: 20 }, cutAfterPieces: 8 });
    const response = await ask(CHAT, model, { stream: true });
    expect(await response.text()).not.toContain('[DONE]');
    expect(claude.requests).toHaveLength(0);
    expect(await findRecord(response)).toMatchObject({ model, requested: null, priceModel: model });
  });

  it('is continued by the fallback model that has begun the stream', async () => {
    const { model, fallback } = await addPair();
    chat.always(OVERLOADED);
    claude.next({ answer: { words: 20 }, cutAfterPieces: 11 });
    claude.always({ answer: { text: ' and the rest.' } });
    const headers = { 'x-tollgate-continue': 'on' };
    const response = await ask(CHAT, model, { stream: true, headers });
    const text = await response.text();
    expect(text).toContain('rest');
    expect(text).toContain('[DONE]');
    expect(chat.requests).toHaveLength(1);
    const record = await findRecord(response);
    expect(record).toMatchObject({ model: fallback, requested: model, priceModel: fallback });
    const attempts = record.attempts?.map((each) => each.model);
    expect(attempts).toEqual([model, fallback, fallback]);
    expect(record.cost).toBe(String(record.input * 7_000 + record.output * 11_000));
  });

  it('is replaced if the first content of a stream takes too long', async () => {
    const model = await addModel({ firstTokenMs: 100 });
    const fallback = await addModel({ provider: 'claude' });
    await addFallback(model, fallback);
    chat.always({ stallBeforeHeaders: true });
    const response = await ask(CHAT, model, { stream: true });
    expect(await response.text()).toContain('[DONE]');
    const { attempts } = await findRecord(response);
    expect(attempts?.map((each) => [each.model, each.outcome])).toEqual([
      [model, 'first_token_timeout'],
      [fallback, 'answered'],
    ]);
  });

  it('gives the error of the last model if all fail', async () => {
    const { model, fallback } = await addPair();
    chat.always({ error: { status: 500 } });
    claude.always({ error: { status: 529 } });
    const response = await ask(CHAT, model);
    expect(response.status).toBeGreaterThanOrEqual(500);
    expect(await findRecord(response)).toMatchObject({ model: fallback, requested: model, cost: '0' });
  });
});

describe('the header x-tollgate-fallback', () => {
  it.each([
    ['none', false],
    ['other-model', false],
    ['other-model, FALLBACK', true],
    ['FALLBACK', true],
  ])('of %s restricts the fallback models: %s', async (value, isPassed) => {
    const { model, fallback } = await addPair();
    chat.always(OVERLOADED);
    const headers = { 'x-tollgate-fallback': value.replace('FALLBACK', fallback) };
    expect((await ask(CHAT, model, { headers })).status === 200).toBe(isPassed);
    expect(claude.requests).toHaveLength(isPassed ? 1 : 0);
  });

  it.each(TESTED_ENDPOINTS.map((endpoint) => [endpoint.path, endpoint] as const))(
    'is refused in the dialect of %s if it is invalid',
    async (_, endpoint) => {
      const { model } = await addPair();
      for (const value of ['', 'none, other', 'one,,two', 'm,'.repeat(33)]) {
        const response = await ask(endpoint, model, { headers: { 'x-tollgate-fallback': value } });
        expect(response.status).toBe(400);
        const body = await response.json();
        expect(endpoint.checkError(body)).toEqual([]);
        expect(JSON.stringify(body)).toContain('x-tollgate-fallback');
      }
      expect(chat.requests).toHaveLength(0);
    },
  );
});

describe('a fallback model is skipped', () => {
  it.each<[string, () => Promise<string>]>([
    ['has no price', () => addModel({ provider: 'claude', isUnpriced: true })],
    ['does not support the endpoint', () => addModel({ provider: 'claude', capabilities: ['embeddings'] })],
  ])('if it %s', async (_, add) => {
    const model = await addModel();
    const [skipped, usable] = [await add(), await addModel({ provider: 'claude' })];
    for (const fallback of [skipped, usable]) await addFallback(model, fallback);
    chat.always(OVERLOADED);
    const response = await ask(CHAT, model);
    expect((await findRecord(response)).model).toBe(usable);
    expect(claude.requests).toHaveLength(1);
  });

  it('if the key may not use it', async () => {
    const { model, fallback } = await addPair();
    chat.always(OVERLOADED);
    const scoped = await gateway.createKey({ allowedModels: [model] });
    expect((await ask(CHAT, model, { secret: scoped })).status).toBe(503);
    expect(claude.requests).toHaveLength(0);
    const both = await gateway.createKey({ allowedModels: [model, fallback] });
    expect((await ask(CHAT, model, { secret: both })).status).toBe(200);
  });
});

it('leaves a ledger that adds up', async () => {
  expect(await gateway.verify()).toEqual([]);
});

function refusal(code: string): Script {
  return {
    replay: {
      status: 400,
      body: JSON.stringify({ error: { message: 'No.', type: 'invalid_request_error', code } }),
    },
  };
}
