import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { parseUsd } from '@tollgate/core/money/money';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { get, post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, type Harness } from '../gateway-fixture.ts';

const OTHER = 'other-model';
const APPLY_WITHIN_MS = 2_000;
const messages = [{ role: 'user', content: 'Hello there' }];

describe('a plan', () => {
  let harness: Harness;
  /** Two replicas, because changes on one must reach the other. */
  let apis: [TestApi, TestApi];
  beforeAll(async () => {
    harness = await createHarness([MODEL, OTHER]);
    const { db } = harness.database;
    apis = [await startTestApi({ db, runtime: 'node' }), await startTestApi({ db, runtime: 'web' })];
  });
  afterAll(async () => {
    for (const api of apis) await api.close();
    await harness[Symbol.asyncDispose]();
  });

  let serial = 0;
  const openAccount = async (plan: { models?: string[]; rpm?: number; tpm?: number; ppm?: number } = {}) => {
    const { db } = harness.database;
    const planId = `plan-${(serial += 1)}`;
    const { models = null, rpm = null, tpm = null, ppm = 1_000_000 } = plan;
    await db.sql`INSERT INTO plans (id, allowed_models, rpm, tpm, price_ppm)
      VALUES (${planId}, ${models}, ${rpm}, ${tpm}, ${ppm})`;
    const { accountId } = await createAccountFixture(db, { planId });
    await creditBalance(db, { accountId, amountNanoUsd: parseUsd('1') ?? 0n });
    const createSecret = async () => (await createKeyFixture(db, accountId)).secret;
    return { planId, accountId, createSecret, secret: await createSecret() };
  };
  const ask = (api: TestApi, secret: string, model = MODEL) =>
    post(`${api.baseUrl}/chat/completions`, { model, messages, max_tokens: 10 }, { secret });
  const getError = async (response: Response) => (await readJson<ErrorBody>(response)).error;

  it('limits the models of its accounts, and a change applies on every replica', async () => {
    const { planId, secret } = await openAccount({ models: [MODEL] });
    for (const api of apis) {
      const refused = await ask(api, secret, OTHER);
      expect(refused.status).toBe(403);
      expect((await getError(refused)).message).toMatch(/^key not allowed to access model "other-model"/);
      expect((await ask(api, secret)).status).toBe(200);
    }
    await harness.database.db.sql`UPDATE plans SET allowed_models = ${[OTHER]} WHERE id = ${planId}`;
    for (const api of apis) {
      await expect
        .poll(async () => (await ask(api, secret, OTHER)).status, { timeout: APPLY_WITHIN_MS })
        .toBe(200);
      expect((await ask(api, secret)).status).toBe(403);
    }
  });

  it('counts the requests of all keys of an account together', async () => {
    const { createSecret, secret } = await openAccount({ rpm: 2 });
    const [api] = apis;
    expect((await ask(api, secret)).headers.get('x-ratelimit-remaining-requests')).toBe('1');
    expect((await ask(api, await createSecret())).status).toBe(200);
    const refused = await ask(api, await createSecret());
    expect(refused.status).toBe(429);
    const error = await getError(refused);
    expect(error.code).toBe('rate_limit_requests');
    expect(error.message).toContain('over all of its keys');
  });

  it('includes the multiplier in the prices of GET /v1/models, exactly, in both dialects', async () => {
    const { planId, secret } = await openAccount({ ppm: 1_200_001 });
    const getPrices = async (headers: Record<string, string>) => {
      const response = get(`${apis[0].baseUrl}/models/${MODEL}`, { secret, headers });
      const { pricing } = await readJson<{ pricing: Record<string, string> }>(response);
      return [pricing['prompt'], pricing['completion'], pricing['input_cache_read']];
    };
    for (const headers of [{}, { 'anthropic-version': '2023-06-01' }])
      expect(await getPrices(headers)).toEqual(['0.000001200001', '0.000006000005', '0.0000001200001']);
    await harness.database.db.sql`UPDATE plans SET is_prepaid = false WHERE id = ${planId}`;
    await expect.poll(async () => getPrices({}), { timeout: APPLY_WITHIN_MS }).toEqual(['0', '0', '0']);
  });

  it('multiplies the price of a request, rounded up once', async () => {
    const { secret, accountId } = await openAccount({ ppm: 1_500_001 });
    const plain = await openAccount();
    const [api] = apis;
    const answers = [await ask(api, secret), await ask(api, plain.secret)];
    const [dear = 0n, cheap = 0n] = answers.map(
      (answer) => parseUsd(answer.headers.get('x-tollgate-cost') ?? '') ?? 0n,
    );
    expect(cheap).toBeGreaterThan(0n);
    expect(dear).toBe((cheap * 1_500_001n + 999_999n) / 1_000_000n);
    await api.deps.ledger.flush();
    const own = await readJson<{ plan: object; balance: object }>(get(`${api.baseUrl}/key`, { secret }));
    expect(own.plan).toMatchObject({ price_multiplier: 1.500001 });
    const [balance] = await harness.database.db.sql<{ available: bigint; held: bigint }[]>`
      SELECT available_nano_usd AS available, held_nano_usd AS held FROM balances WHERE account_id = ${accountId}`;
    expect(balance).toEqual({ available: 1_000_000_000n - dear, held: 0n });
  });

  it('applies from the next request after an account changes to it, on every replica', async () => {
    const { secret, accountId } = await openAccount();
    for (const api of apis) expect((await ask(api, secret)).status).toBe(200);
    const { planId } = await openAccount({ models: [OTHER] });
    await harness.database.db.sql`UPDATE accounts SET plan_id = ${planId} WHERE id = ${accountId}`;
    for (const api of apis)
      await expect.poll(async () => (await ask(api, secret)).status, { timeout: APPLY_WITHIN_MS }).toBe(403);
  });
});
