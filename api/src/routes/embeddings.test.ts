import { NO_USAGE } from '@tollgate/core/money/money';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import { readRequest } from '@tollgate/testing/read-request';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../testing/call-api.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';
import { createHarness, MODEL, PRICES, type Harness } from '../../test/gateway-fixture.ts';

const CHAT_MODEL = 'only-chats';
/** Models without stated capabilities. */
const WRITERS = ['gpt-4o-mini', 'long-writer'];
/** A model that only one of its providers knows as a text model. */
const UNCLEAR = 'unclear-model';

describe.each(['node', 'web'] as const)('POST /v1/embeddings on the %s runtime', (runtime) => {
  let harness: Harness;
  let api: TestApi;
  beforeAll(async () => {
    harness = await createHarness([MODEL, CHAT_MODEL, ...WRITERS, UNCLEAR]);
    await harness.database.db.sql`UPDATE models SET max_output_tokens = 4096 WHERE id = 'long-writer'`;
    await harness.database.db.sql`UPDATE models SET capabilities = '{tools}' WHERE id = ${CHAT_MODEL}`;
    await harness.database.db.sql`
      UPDATE routes SET upstream_model = 'claude-sonnet-4-5' FROM providers WHERE model_id = ${UNCLEAR}
      AND providers.id = routes.provider_id AND providers.dialect = 'anthropic-messages'`;
    api = await startTestApi({ db: harness.database.db, runtime });
  });
  beforeEach(() => harness.provider.reset());
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });

  const send = (body: unknown, secret: string | null = harness.secret) =>
    post(`${api.baseUrl}/embeddings`, body, { secret });
  const call = (body: object, secret?: string) =>
    send({ model: MODEL, input: 'Hello there', ...body }, secret);
  const getError = async (response: Response) => (await readJson<ErrorBody>(response)).error;
  const recorded = async (response: Response) => {
    await api.deps.ledger.flush();
    return readRequest(harness.database.db, response.headers.get('x-request-id'));
  };

  it("relays request and response bytes, and bills the provider's count", async () => {
    const body = `{ "model":"${MODEL}", "input": ["\\u00e9", "two"],  "dimensions": 2, "x": 12345678901234567890 }`;
    const response = await send(body);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ object: 'list', data: [{ index: 0 }, { index: 1 }] });
    const [asked] = harness.provider.requests;
    expect(asked?.path).toBe('/v1/embeddings');
    expect(asked?.body.toString()).toBe(body);
    const usage = { ...NO_USAGE, inputTokens: asked?.usage?.inputTokens ?? 0 };
    expect(usage.inputTokens).toBe(2);
    const costNanoUsd = computeCost(usage, PRICES);
    expect(response.headers.get('x-tollgate-cost')).toBe('0.000002');
    expect(await recorded(response)).toMatchObject({
      status: 200,
      model: MODEL,
      estimated: false,
      ...usage,
      costNanoUsd,
    });
    const [row] = await harness.database.db.sql<{ endpoint: string }[]>`
      SELECT endpoint FROM requests WHERE id = ${response.headers.get('x-request-id')}`;
    expect(row?.endpoint).toBe('/v1/embeddings');
  });

  it('estimates an input for which the provider reports far too few tokens', async () => {
    const body = JSON.stringify({
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
      model: MODEL,
      usage: { prompt_tokens: 1, total_tokens: 1 },
    });
    harness.provider.next({ replay: { body, contentType: 'application/json' } });
    const response = await call({ input: 'word '.repeat(3_000) });
    const row = await recorded(response);
    expect(row).toMatchObject({ status: 200, estimated: true });
    expect(row?.inputTokens).toBeGreaterThan(2_000);
  });

  it('refuses a chat with a model that supports only embeddings', async () => {
    await harness.database.db.sql`UPDATE models SET capabilities = '{embeddings}' WHERE id = ${CHAT_MODEL}`;
    const body = { model: CHAT_MODEL, messages: [{ role: 'user', content: 'Hi' }] };
    const chat = () => post(`${api.baseUrl}/chat/completions`, body, { secret: harness.secret });
    await expect.poll(async () => (await chat()).status).toBe(400);
    expect(await getError(await chat())).toMatchObject({
      param: 'model',
      message: expect.stringContaining('/v1/embeddings'),
    });
    await harness.database.db.sql`UPDATE models SET capabilities = '{tools}' WHERE id = ${CHAT_MODEL}`;
    await expect.poll(async () => (await chat()).status).toBe(200);
  });

  it('leaves a model to its providers if not all of them are known to generate text', async () => {
    const names = await harness.database.db.sql<{ name: string }[]>`
      SELECT upstream_model AS name FROM routes WHERE model_id = ${UNCLEAR}`;
    expect(names.map(({ name }) => name)).toContain('claude-sonnet-4-5');
    expect(names.length).toBeGreaterThan(1);
    expect((await call({ model: UNCLEAR })).status).toBe(200);
  });

  it.each([
    ['text', 'Hello there', 3],
    ['tokens', [1, 2, 3, 4, 5, 6, 7], 7],
  ])(
    'estimates the bill of %s from the input if the provider counts nothing',
    async (_, input, inputTokens) => {
      harness.provider.next({ answer: { usage: null } });
      const row = await recorded(await call({ input }));
      expect(row).toMatchObject({ estimated: true, inputTokens, outputTokens: 0 });
      expect(row?.costNanoUsd).toBe(computeCost({ ...NO_USAGE, inputTokens }, PRICES));
    },
  );

  it('uses only providers that support embeddings, and refuses a model that does not', async () => {
    for (let each = 0; each < 4; each += 1) expect((await call({})).status).toBe(200);
    expect(new Set(harness.provider.requests.map(({ path }) => path))).toEqual(new Set(['/v1/embeddings']));
    const refused = await call({ model: CHAT_MODEL });
    expect(refused.status).toBe(400);
    expect(await getError(refused)).toMatchObject({ code: 'invalid_request', param: 'model' });
    expect(harness.provider.requests).toHaveLength(4);
  });

  it.each(WRITERS)('refuses the text model %s although its capabilities are not set', async (model) => {
    const refused = await call({ model });
    expect(refused.status).toBe(400);
    expect(await getError(refused)).toMatchObject({ code: 'invalid_request', param: 'model' });
    expect(harness.provider.requests).toEqual([]);
  });

  it('counts against requests and tokens per minute and the budget, like completions', async () => {
    const { secret } = await harness.createKey({ rpm: 1 });
    const first = await call({}, secret);
    expect(first.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    expect((await call({}, secret)).status).toBe(429);
    const { secret: small } = await harness.createKey({ tpm: 1 });
    expect((await getError(await call({}, small))).code).toBe('request_exceeds_tpm');
    // 2 tokens cost 2,000 nano-dollars. The budget covers every byte of the first body: a busy machine may not count it in time.
    const { secret: poor } = await harness.createKey({ maxBudgetUsd: '0.0001' });
    expect((await call({}, poor)).status).toBe(200);
    const broke = await call({ input: 'Hello there '.repeat(100) }, poor);
    expect([broke.status, (await getError(broke)).code]).toEqual([402, 'budget_exceeded']);
  });

  it.each([
    ['no input', { input: undefined }, 'input'],
    ['an empty input', { input: '' }, 'input'],
    ['2,049 inputs', { input: Array.from({ length: 2_049 }, () => 'a') }, 'input'],
    ['an unknown format', { encoding_format: 'hex' }, 'encoding_format'],
    ['half a dimension', { dimensions: 1.5 }, 'dimensions'],
    ['no model', { model: '' }, 'model'],
  ])('refuses %s', async (_, body, param) => {
    const response = await call(body);
    expect([response.status, (await getError(response)).param]).toEqual([400, param]);
    expect(harness.provider.requests).toHaveLength(0);
  });

  it('refuses a missing key, foreign and unknown models, and invalid JSON', async () => {
    const { secret } = await harness.createKey({ allowedModels: [CHAT_MODEL] });
    expect((await send({ model: MODEL, input: 'a' }, null)).status).toBe(401);
    expect((await call({}, secret)).status).toBe(403);
    expect((await call({ model: 'nothing' })).status).toBe(404);
    expect((await send('{')).status).toBe(400);
  });

  it("relays the provider's refusal, hides one of the gateway's credential, and never hangs on a broken response", async () => {
    harness.provider.next({ error: { status: 429, retryAfterSeconds: 7 } });
    const limited = await call({});
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
    harness.provider.next({ error: { status: 401 } });
    expect((await call({})).status).toBe(502);
    for (const script of [{ cutBeforeHeaders: true } as const, { cutAfterBytes: 20 }, { garbage: 100 }]) {
      harness.provider.next(script);
      const broken = await call({});
      expect(broken.status).toBe(502);
      expect(await recorded(broken)).toMatchObject({ costNanoUsd: 0n });
    }
    harness.provider.next({ contentType: 'text/event-stream', replay: { body: 'data: [DONE]\n\n' } });
    expect((await call({})).status).toBe(502);
  });
});
