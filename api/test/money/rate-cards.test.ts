import type { RateCard } from '@tollgate/core/money/rates/rate-card';
import { toRates } from '@tollgate/core/money/rates/rate-lines';
import { NO_USAGE } from '@tollgate/core/money/money';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import { decodeStoredUsage } from '@tollgate/dialects/usage/decode-stored-usage';
import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { putModel } from '@tollgate/db/queries/models/models';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, PRICES, type Harness } from '../gateway-fixture.ts';

const USD = 1_000_000_000n;
const messages = [{ role: 'user', content: 'Hello there' }];
const SEARCH = { type: 'web_search_20250305', name: 'web_search' };
const RATED: RateCard = {
  ...PRICES,
  rates: toRates([
    { rate: 'service_tier:priority', value: '2x' },
    { rate: 'service_tier:flex', value: '0.5x' },
    { rate: 'tool_calls:web_search', value: '1000' },
    { rate: 'tokens:audio_output', value: '50' },
  ]),
};

describe('a request that needs more rates than those of plain tokens', () => {
  let harness: Harness;
  let api: TestApi;
  let secret: string;
  beforeAll(async () => {
    harness = await createHarness(['plain', 'rated', 'roomy', 'writer']);
    const { db } = harness.database;
    await putModel(db, { id: 'plain', facts: {}, prices: { ...PRICES, rates: null }, now: new Date() });
    await putModel(db, { id: 'rated', facts: {}, prices: RATED, now: new Date() });
    await putModel(db, { id: 'roomy', facts: { contextTokens: 100_000 }, prices: RATED, now: new Date() });
    const lengths = { contextTokens: 60_000, maxOutputTokens: 50_000 };
    await putModel(db, { id: 'writer', facts: lengths, prices: RATED, now: new Date() });
    const { accountId } = await createAccountFixture(db, { planId: 'standard' });
    await creditBalance(db, { accountId, amountNanoUsd: 1_000n * USD });
    secret = (await createKeyFixture(db, accountId)).secret;
    api = await startTestApi({ db, runtime: 'node' });
  });
  beforeEach(() => harness.provider.reset());
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });

  const ask = (body: object, path = '/chat/completions') =>
    post(api.baseUrl + path, { model: 'rated', messages, max_tokens: 100, ...body }, { secret });
  const heldBy = async (body: object, path?: string) => {
    const response = await ask(body, path);
    expect(response.status).toBe(200);
    await api.deps.ledger.flush();
    const [row] = await harness.database.db.sql<{ held: bigint }[]>`
      SELECT held_nano_usd AS held FROM requests WHERE id = ${response.headers.get('x-request-id')}`;
    return row?.held ?? 0n;
  };

  it('holds the price of unmarked cache writes if a provider of OpenAI’s dialect may make them', async () => {
    const { db } = harness.database;
    const plain = await heldBy({ model: 'plain', max_tokens: 1 });
    // A cache write costs 100 times as much as input.
    const prices = { ...PRICES, cacheWriteNanoUsdPerMtok: 100_000_000_000n, rates: null };
    await putModel(db, { id: 'plain', facts: {}, prices, now: new Date() });
    await expect.poll(() => heldBy({ model: 'plain', max_tokens: 1 })).toBeGreaterThan(plain * 50n);
    await putModel(db, { id: 'plain', facts: {}, prices: { ...PRICES, rates: null }, now: new Date() });
  });

  it.each([
    [{ service_tier: 'flex' }, '/chat/completions', 'service_tier', 'service_tier:flex'],
    [{ modalities: ['text', 'audio'] }, '/chat/completions', 'modalities', 'tokens:audio_output'],
    [{ speed: 'fast' }, '/messages', 'speed', 'speed:fast'],
    [{ inference_geo: 'us' }, '/messages', 'inference_geo', 'inference_geo:us'],
  ])('is rejected before it is sent if the model has no such rate: %o', async (body, path, param, rate) => {
    const response = await ask({ model: 'plain', ...body }, path);
    expect(response.status).toBe(400);
    const { error } = await readJson<ErrorBody>(response);
    expect(error.message).toContain('The model "plain" has no rate for');
    expect(error.message).toContain(`--rate ${rate}=`);
    if (path === '/chat/completions') expect(error).toMatchObject({ code: 'unsupported_parameter', param });
    expect(harness.provider.requests).toEqual([]);
  });

  it('names server tools as part of the possible cost if the balance is too low for them', async () => {
    const { db } = harness.database;
    const { accountId } = await createAccountFixture(db, { planId: 'standard' });
    await creditBalance(db, { accountId, amountNanoUsd: USD / 1_000n });
    const poor = await createKeyFixture(db, accountId);
    const refuse = async (body: object) => {
      const asked = { model: 'rated', messages, max_tokens: 100, ...body };
      const response = await post(`${api.baseUrl}/messages`, asked, { secret: poor.secret });
      expect(response.status).toBe(402);
      return (await readJson<ErrorBody>(response)).error.message;
    };
    expect(await refuse({ tools: [SEARCH] })).toContain('limit their calls (max_uses, max_tool_calls)');
    expect(await refuse({ max_tokens: 1_000_000 })).not.toContain('max_uses');
  });

  it('holds the most expensive terms that may be served', async () => {
    const plain = await heldBy({});
    const priority = await heldBy({ service_tier: 'priority' });
    expect(priority > plain && priority <= plain * 2n + 100_000n).toBe(true);
    expect(await heldBy({ service_tier: 'flex' })).toBeGreaterThanOrEqual(plain);
  });

  it('holds server tool calls up to the limit of the request', async () => {
    const tools = (uses: number) => [{ ...SEARCH, max_uses: uses }];
    const one = await heldBy({ tools: tools(1) }, '/messages');
    // A call costs a dollar, and the input that the model reads after it two.
    expect((await heldBy({ tools: tools(4) }, '/messages')) - one).toBe(3n * 3n * USD);
  });

  it.each([
    [100, 50_000n],
    [80_000, 80_000n],
  ])(
    'holds every call of an advisor model with its longest response, or the request’s if that is longer: %i',
    async (maxTokens, written) => {
      const advised = (calls: number) => {
        const advisor = { type: 'advisor_20260301', name: 'advisor', model: 'writer', max_uses: calls };
        return heldBy({ tools: [advisor], max_tokens: maxTokens }, '/messages');
      };
      // 60,000 input tokens at a dollar per million, and the output at 5.
      expect((await advised(4)) - (await advised(1))).toBe(3n * (60_000_000n + written * 5_000n));
    },
  );

  it('limits the calls that a request leaves unlimited, and holds that many', async () => {
    const one = await heldBy({ tools: [{ ...SEARCH, max_uses: 1 }] }, '/messages');
    harness.provider.reset();
    const unlimited = await heldBy({ tools: [SEARCH] }, '/messages');
    expect(unlimited - one).toBe(9n * 3n * USD);
    const [sent] = harness.provider.requests;
    expect(JSON.parse(sent?.body.toString() ?? '')).toMatchObject({ tools: [{ ...SEARCH, max_uses: 10 }] });
  });

  it.each(['1000', 1e16, 1000.5, -1])('rejects a call limit that is not a whole number: %s', async (uses) => {
    const response = await ask({ tools: [{ ...SEARCH, max_uses: uses }] }, '/messages');
    expect(response.status).toBe(400);
    expect(harness.provider.requests).toEqual([]);
  });

  it('holds the sum of two tools, one of them without a limit', async () => {
    const one = await heldBy({ tools: [{ ...SEARCH, max_uses: 1 }] }, '/messages');
    harness.provider.reset();
    const two = await heldBy(
      {
        tools: [
          { ...SEARCH, max_uses: 5 },
          { ...SEARCH, name: 'b' },
        ],
      },
      '/messages',
    );
    expect(two - one).toBe(14n * 3n * USD);
    const [sent] = harness.provider.requests;
    expect(
      JSON.parse(sent?.body.toString() ?? '').tools.map((tool: { max_uses: number }) => tool.max_uses),
    ).toEqual([5, 10]);
  });

  it('bills ten searches of a stream that was interrupted, with the results that the model read', async () => {
    const content = [
      { type: 'web_search_result', url: 'https://a.example', encrypted_content: 'x'.repeat(4_000) },
    ];
    const events = [
      { type: 'message_start', message: { type: 'message', role: 'assistant', model: 'roomy', content: [] } },
      ...Array.from({ length: 10 }, (_, at) => [
        { type: 'server_tool_use', id: `srvtoolu_${at}`, name: 'web_search', input: {} },
        { type: 'web_search_tool_result', tool_use_id: `srvtoolu_${at}`, content },
        { type: 'text', text: 'So.' },
      ])
        .flat()
        .map((block, index) => ({ type: 'content_block_start', index, content_block: block })),
    ];
    const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    harness.provider.next({ replay: { body: `${body}event: ping\n` } });
    const response = await ask({ model: 'roomy', stream: true, tools: [SEARCH] }, '/messages');
    expect(await response.text()).toContain('event: error');
    await api.deps.ledger.flush();
    const [row] = await harness.database.db.sql`
      SELECT cost_nano_usd, input_tokens, estimated, usage_extras FROM requests
      WHERE id = ${response.headers.get('x-request-id')}`;
    expect(row).toMatchObject({ estimated: true, usage_extras: { toolCalls: { web_search: 10 } } });
    // 3,000 bytes of each result.
    expect(row?.input_tokens).toBeGreaterThan(7_500);
    expect(row?.cost_nano_usd).toBeGreaterThan(10n * USD);
    const { findings } = await verifyLedger(harness.database.db, { recompute: null });
    expect(findings).toEqual([]);
  });

  it('bills each iteration as a separate request, so that it can be recomputed', async () => {
    const { db } = harness.database;
    const longInput = { ...PRICES, inputNanoUsdPerMtok: 100n * USD, aboveInputTokens: 200_000 };
    await putModel(db, {
      id: 'plain',
      facts: {},
      prices: { ...PRICES, longInput, rates: null },
      now: new Date(),
    });
    await api.deps.catalogue.load();
    const { accountId } = await createAccountFixture(db, { planId: 'internal' });
    const key = await createKeyFixture(db, accountId);
    const usage = {
      input_tokens: 23_000,
      output_tokens: 1_000,
      iterations: [
        { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 },
        { type: 'message', input_tokens: 23_000, output_tokens: 1_000 },
        {
          type: 'advisor_message',
          model: 'rated',
          input_tokens: 800,
          output_tokens: 100,
          server_tool_use: { web_search_requests: 3 },
        },
      ],
    };
    const message = { type: 'message', role: 'assistant', model: 'plain', content: [], usage };
    harness.provider.next({ replay: { body: JSON.stringify(message) } });
    const asked = { model: 'plain', messages, max_tokens: 100 };
    const response = await post(`${api.baseUrl}/messages`, asked, { secret: key.secret });
    expect(response.status).toBe(200);
    await api.deps.ledger.flush();
    const [row] = await db.sql<{ cost: bigint }[]>`
      SELECT cost_nano_usd AS cost FROM requests WHERE id = ${response.headers.get('x-request-id')}`;
    const tokens = (inputTokens: number, outputTokens: number) =>
      computeCost({ ...NO_USAGE, inputTokens, outputTokens }, PRICES);
    // The long-input price applies only to the sum of the compaction and the message.
    expect(row?.cost).toBe(tokens(203_000, 4_500) + tokens(800, 100) + 3n * USD);
    const verified = await verifyLedger(db, { recompute: null, decodeUsage: decodeStoredUsage });
    expect(verified.findings).toEqual([]);
  });

  it('holds the whole context for each time that the model reads what server tools returned', async () => {
    const held = (calls: number) =>
      heldBy({ model: 'roomy', tools: [{ ...SEARCH, max_uses: calls }] }, '/messages');
    const one = await held(1);
    // 100,000 tokens at a dollar per million twice, and the output.
    expect(one - USD).toBeGreaterThanOrEqual(200_000_000n);
    expect(one - USD).toBeLessThan(202_000_000n);
    expect((await held(4)) - one).toBe(3n * (USD + 100_000_000n));
  });
});
