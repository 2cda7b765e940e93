import { readRequest } from '@tollgate/testing/read-request';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../testing/call-api.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';
import { createHarness, MODEL, type Harness } from '../../test/gateway-fixture.ts';

const messages = [{ role: 'user', content: 'Hello there' }];

describe.each(['node', 'web'] as const)('POST /v1/messages/count_tokens on the %s runtime', (runtime) => {
  let harness: Harness;
  let api: TestApi;
  beforeAll(async () => {
    harness = await createHarness();
    const { sql } = harness.database.db;
    await sql`INSERT INTO models (id) VALUES ('claude-elsewhere')`;
    await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
      VALUES ('claude-elsewhere', 1, 1, now() - interval '1 minute')`;
    await sql`INSERT INTO routes (id, model_id, provider_id)
      SELECT 'route_elsewhere', 'claude-elsewhere', id FROM providers WHERE dialect = 'openai-chat'`;
    await sql`UPDATE routes SET upstream_model = 'claude-named-otherwise'
      WHERE model_id = ${MODEL} AND provider_id IN (SELECT id FROM providers WHERE dialect = 'anthropic-messages')`;
    api = await startTestApi({ db: harness.database.db, runtime });
  });
  beforeEach(() => harness.provider.reset());
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });

  const call = (body: object, secret: string | null = harness.secret) =>
    post(`${api.baseUrl}/messages/count_tokens?beta=true`, { model: MODEL, messages, ...body }, { secret });
  const recorded = async (response: Response) => {
    await api.deps.ledger.flush();
    return readRequest(harness.database.db, response.headers.get('x-request-id'));
  };
  const isEstimate = (response: Response) => response.headers.get('x-tollgate-estimated') === 'true';

  it('returns the provider’s own count if available: for the same body, under its own model name', async () => {
    const response = await call({ system: 'é', thinking: { type: 'enabled', budget_tokens: 2_000 } });
    expect([response.status, isEstimate(response)]).toEqual([200, false]);
    expect(await response.json()).toEqual({ input_tokens: 11 });
    const [asked] = harness.provider.requests;
    expect(asked?.path).toBe('/v1/messages/count_tokens');
    expect(JSON.parse(String(asked?.body))).toEqual({
      model: 'claude-named-otherwise',
      messages,
      system: 'é',
      thinking: { type: 'enabled', budget_tokens: 2_000 },
    });
    expect(response.headers.get('request-id')).toMatch(/^req_/);
  });

  it('costs nothing, and is recorded as free', async () => {
    const response = await call({});
    expect(response.headers.get('x-tollgate-cost')).toBe('0.00');
    expect(await recorded(response)).toMatchObject({
      status: 200,
      model: MODEL,
      inputTokens: 0,
      outputTokens: 0,
      costNanoUsd: 0n,
    });
  });

  it('requires no budget, and does not count against the limits of the key', async () => {
    const { secret } = await harness.createKey({ rpm: 2, maxBudgetUsd: '0.000000001' });
    expect((await call({}, secret)).status).toBe(200);
    const complete = () =>
      post(`${api.baseUrl}/messages`, { model: MODEL, messages, max_tokens: 5 }, { secret });
    expect((await complete()).status).toBe(402);
    expect((await complete()).status).toBe(402);
    expect((await complete()).status).toBe(429);
    // Budget and requests are now used up; token counts still work.
    expect((await call({}, secret)).status).toBe(200);
  });

  it("relays the provider's response about the request", async () => {
    harness.provider.next({ error: { status: 400 } });
    const response = await call({});
    expect(response.status).toBe(400);
    expect((await readJson<ErrorBody>(response)).error.message).toContain('Input should be a valid string');
  });

  it.each([
    ['is overloaded', { error: { status: 529 } } as const],
    ['has no such endpoint', { error: { status: 404 } } as const],
    ['refuses the gateway', { error: { status: 401 } } as const],
    ['breaks off', { cutBeforeHeaders: true } as const],
    ['sends garbage', { garbage: 200 }],
  ])('returns an estimate if the only provider that counts %s', async (_, script) => {
    harness.provider.next(script);
    const response = await call({});
    expect([response.status, isEstimate(response)]).toEqual([200, true]);
    expect(await response.json()).toEqual({ input_tokens: 10 });
    expect(harness.provider.requests).toHaveLength(1);
    expect(await recorded(response)).toMatchObject({ status: 200, estimated: true, costNanoUsd: 0n });
    // Completions over the same route are not affected.
    const completed = await post(
      `${api.baseUrl}/messages`,
      { model: MODEL, messages, max_tokens: 5 },
      { secret: harness.secret },
    );
    expect(completed.status).toBe(200);
  });

  it('estimates by size for a body of more than 4 MiB', async () => {
    const long = [{ role: 'user', content: 'x'.repeat(5 * 1024 * 1024) }];
    const response = await call({ model: 'claude-elsewhere', messages: long });
    expect([response.status, isEstimate(response)]).toEqual([200, true]);
    const { input_tokens: tokens } = await readJson<{ input_tokens: number }>(response);
    // The tokenizer makes eight of these letters one token; the estimate assumes four bytes per token.
    expect(tokens / (1024 * 1024)).toBeCloseTo(1.25, 2);
  });

  it('estimates without a provider call if no provider of the model counts', async () => {
    const tools = [{ name: 'f', input_schema: { type: 'object' } }];
    const response = await call({ model: 'claude-elsewhere', tools });
    expect([response.status, isEstimate(response)]).toEqual([200, true]);
    const { input_tokens: tokens } = await readJson<{ input_tokens: number }>(response);
    expect(tokens).toBeGreaterThan(500);
    expect(harness.provider.requests).toHaveLength(0);
    expect(response.headers.get('request-id')).toMatch(/^req_/);
  });

  it('reports the position of errors in a body that is to be estimated', async () => {
    const response = await call({
      model: 'claude-elsewhere',
      messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url' } }] }],
    });
    expect(response.status).toBe(400);
    const { error } = await readJson<ErrorBody>(response);
    expect(error).toMatchObject({ type: 'invalid_request_error' });
    expect(error.message).toMatch(/^messages\.0\.content\.0\.source\.url/);
  });

  it('refuses the same errors as messages: missing key, foreign and unknown models, malformed bodies', async () => {
    const { secret } = await harness.createKey({ allowedModels: ['claude-elsewhere'] });
    expect((await call({}, null)).status).toBe(401);
    expect((await call({}, secret)).status).toBe(403);
    const unknown = await call({ model: 'nothing' });
    expect([unknown.status, (await readJson<ErrorBody>(unknown)).error.type]).toEqual([
      404,
      'not_found_error',
    ]);
    for (const body of [{ model: 7 }, { messages: [] }, { messages: 'hi' }, { messages: ['hi'] }]) {
      const refused = await call(body);
      expect(refused.status).toBe(400);
      expect(await readJson(refused)).toMatchObject({
        type: 'error',
        error: { type: 'invalid_request_error' },
      });
    }
    const broken = await post(`${api.baseUrl}/messages/count_tokens`, '{', { secret: harness.secret });
    expect(broken.status).toBe(400);
    expect(harness.provider.requests).toHaveLength(0);
  });
});
