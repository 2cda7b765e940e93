import { formatUsd, NO_USAGE, parseUsd } from '@tollgate/core/money/money';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { readRequest } from '@tollgate/testing/read-request';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, type Harness } from '../gateway-fixture.ts';

const messages = [{ role: 'user', content: 'Hello there' }];
/** The fixture's prices in nano-dollars: 5,000 per output token, 1,000 per input token. */
const OUTPUT_NANO_USD = 5_000n;

describe('the hold of a request', () => {
  let harness: Harness;
  let api: TestApi;
  beforeAll(async () => {
    harness = await createHarness();
    const { db } = harness.database;
    api = await startTestApi({ db, runtime: 'node', attempts: 2, consoleUrl: 'https://console.example' });
  });
  beforeEach(() => harness.provider.reset());
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });

  const ask = (secret: string, body: object = {}, path = '/chat/completions') =>
    post(api.baseUrl + path, { model: MODEL, messages, ...body }, { secret });
  const getError = async (response: Response) => (await readJson<ErrorBody>(response)).error;
  const getRow = async (response: Response) => {
    await api.deps.ledger.flush();
    return readRequest(harness.database.db, response.headers.get('x-request-id'));
  };
  const openAccount = async (usd: string) => {
    const { db } = harness.database;
    const { accountId } = await createAccountFixture(db, { planId: 'standard' });
    await creditBalance(db, { accountId, amountNanoUsd: parseUsd(usd) ?? 0n });
    return { accountId, secret: (await createKeyFixture(db, accountId)).secret };
  };
  const getBalance = async (accountId: string) => {
    const [balance] = await harness.database.db.sql<{ available: bigint; held: bigint }[]>`
      SELECT available_nano_usd AS available, held_nano_usd AS held FROM balances WHERE account_id = ${accountId}`;
    return balance;
  };
  const getOperatorCost = async (response: Response) => {
    await api.deps.ledger.flush();
    const [row] = await harness.database.db.sql<{ cost: bigint }[]>`
      SELECT operator_cost_nano_usd AS cost FROM requests WHERE id = ${response.headers.get('x-request-id')}`;
    return row?.cost;
  };

  /** Another transaction that locks the balance and leaves this amount; null: unchanged. */
  const beginWith = async (accountId: string, leftNanoUsd: bigint | null) => {
    const left = leftNanoUsd === null ? null : String(leftNanoUsd);
    const begun = Promise.withResolvers<void>();
    const ending = Promise.withResolvers<void>();
    const transaction = harness.database.db.sql.begin(async (sql) => {
      await sql`UPDATE balances SET available_nano_usd = coalesce(${left}::bigint, available_nano_usd)
        WHERE account_id = ${accountId}`;
      begun.resolve();
      await ending.promise;
    });
    await begun.promise;
    return {
      commit: async () => {
        ending.resolve();
        await transaction;
      },
    };
  };

  it.each([
    ['/chat/completions', { messages }, 'max_completion_tokens'],
    ['/responses', { input: 'Hello there', messages: undefined }, 'max_tokens'],
  ])('on %s limits the output to what is affordable if no maximum is named', async (path, body, member) => {
    const { secret, keyId } = await harness.createKey({ maxBudgetUsd: '0.005' });
    const response = await ask(secret, body, path);
    expect(response.status).toBe(200);
    const limit = Number(response.headers.get('x-tollgate-max-tokens'));
    // The budget pays 1,000 tokens, minus what the input may cost.
    expect(limit).toBeGreaterThan(900);
    expect(limit).toBeLessThan(1_000);
    const sent: unknown = JSON.parse(String(harness.provider.requests[0]?.body));
    const names = [member, 'max_tokens', 'max_completion_tokens'];
    expect(names.map((name) => Reflect.get(Object(sent), name))).toContain(limit);
    await api.deps.ledger.flush();
    const [totals] = await harness.database.db.sql<{ spent: bigint; held: bigint }[]>`
      SELECT spent_nano_usd AS spent, held_nano_usd AS held FROM key_totals WHERE key_id = ${keyId}`;
    expect(totals?.held).toBe(0n);
    expect(formatUsd(totals?.spent ?? 0n)).toBe(response.headers.get('x-tollgate-cost'));
  });

  it('refuses a maximum that cannot be paid, and reports an affordable one', async () => {
    const { secret } = await harness.createKey({ maxBudgetUsd: '0.005' });
    const refused = await ask(secret, { max_tokens: 50_000 });
    expect(refused.status).toBe(402);
    const { code, message } = await getError(refused);
    expect(code).toBe('budget_exceeded');
    const affordable = Number(/At most (\d+) output tokens are affordable/.exec(message)?.[1]);
    expect(harness.provider.requests).toHaveLength(0);
    expect((await ask(secret, { max_tokens: affordable })).status).toBe(200);
  });

  it('refuses with 402 if even a short response cannot be paid', async () => {
    const { secret } = await openAccount('0');
    const refused = await ask(secret);
    const { code, message } = await getError(refused);
    expect([refused.status, code]).toEqual([402, 'insufficient_balance']);
    expect(message).toMatch(/Top up in the Tollgate console: https:\/\/console\.example\/billing$/);
    const { secret: poor } = await harness.createKey({ maxBudgetUsd: '0.00004' });
    const beyond = await getError(await ask(poor));
    expect(beyond.code).toBe('budget_exceeded');
    expect(beyond.message).toMatch(
      /higher budget in the Tollgate console: https:\/\/console\.example\/keys$/,
    );
    expect(harness.provider.requests).toHaveLength(0);
  });

  it('answers 500 and releases the hold if the gateway fails after the hold was decided', async () => {
    const { secret, keyId } = await harness.createKey({ maxBudgetUsd: '0.005' });
    const { log, upstreams, ledger } = api.deps;
    const error = vi.spyOn(log, 'error');
    vi.spyOn(upstreams.breakers, 'tryPass').mockImplementationOnce(() => {
      throw new Error('a fault of the gateway');
    });
    const response = await ask(secret);
    expect([response.status, (await getError(response)).code]).toEqual([500, 'internal_error']);
    const requestId = response.headers.get('x-request-id');
    expect(error).toHaveBeenCalledWith(
      expect.objectContaining({ requestId }),
      'a request failed after its hold was decided',
    );
    error.mockRestore();
    expect(await getRow(response)).toMatchObject({ status: 500, errorCode: 'internal_error' });
    await ledger.flush();
    const totals = await harness.database.db.sql`
      SELECT spent_nano_usd::text AS spent, held_nano_usd::text AS held FROM key_totals WHERE key_id = ${keyId}`;
    expect(totals).toEqual([{ spent: '0', held: '0' }]);
  });

  it('answers 429 if only requests in flight block the amount, and serves the same request after they end', async () => {
    const { secret, accountId } = await openAccount('0.01');
    harness.provider.next({ headersDelayMs: 300 });
    const first = ask(secret, { max_tokens: 1_500 });
    await expect.poll(() => harness.provider.requests.length).toBe(1);
    const refused = await ask(secret, { max_tokens: 1_500 });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect([refused.status, (await getError(refused)).code]).toEqual([429, 'budget_reserved']);
    expect((await first).status).toBe(200);
    expect((await ask(secret, { max_tokens: 1_500 })).status).toBe(200);
    await api.deps.ledger.flush();
    expect(await getBalance(accountId)).toMatchObject({ held: 0n });
  });

  it('calls the provider immediately while plenty is left, and keeps its response until the hold is written', async () => {
    const { secret, accountId } = await openAccount('1000');
    expect((await ask(secret)).status).toBe(200);
    let isAnswered = false;
    const { commit } = await beginWith(accountId, null);
    const answer = ask(secret).finally(() => (isAnswered = true));
    await expect
      .poll(() => harness.provider.requests.filter((each) => each.outcome === 'complete').length)
      .toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(isAnswered).toBe(false);
    await commit();
    expect((await answer).status).toBe(200);
    const row = await getRow(await answer);
    expect(row?.holdMs).toBeGreaterThanOrEqual(190);
    expect(row?.firstByteMs).toBeGreaterThanOrEqual(row?.holdMs ?? Infinity);
    expect(row).toMatchObject({ connectMs: 0 });
  });

  it('cancels the provider call, at the operator’s cost, if another request has spent what seemed to be left', async () => {
    const { secret, accountId } = await openAccount('1000');
    expect((await ask(secret)).status).toBe(200);
    await api.deps.ledger.flush();
    const { commit } = await beginWith(accountId, 5n);
    harness.provider.next({ headersDelayMs: 5_000 });
    const answer = ask(secret);
    await expect.poll(() => harness.provider.requests.length).toBe(2);
    await commit();
    const refused = await answer;
    expect(harness.provider.requests[1]?.outcome).not.toBe('complete');
    expect([refused.status, (await getError(refused)).code]).toEqual([402, 'insufficient_balance']);
    expect(await getOperatorCost(refused)).toBeGreaterThan(0n);
    expect(await getRow(refused)).toMatchObject({ status: 402, costNanoUsd: 0n });
    expect(await getBalance(accountId)).toEqual({ available: 5n, held: 0n });
  });

  it('never bills more than was held, whatever the provider counts', async () => {
    const { secret } = await harness.createKey({ maxBudgetUsd: '0.005' });
    const usage = { ...NO_USAGE, inputTokens: 10, outputTokens: 100_000 };
    harness.provider.next({ answer: { usage } });
    const response = await ask(secret, { max_tokens: 500 });
    expect(response.status).toBe(200);
    const billed = parseUsd(response.headers.get('x-tollgate-cost') ?? '') ?? 0n;
    expect(billed).toBeGreaterThanOrEqual(500n * OUTPUT_NANO_USD);
    expect(billed).toBeLessThanOrEqual(5_000_000n);
    expect(await getRow(response)).toMatchObject({ costNanoUsd: billed });
    expect(await getOperatorCost(response)).toBe(100_000n * OUTPUT_NANO_USD + 10_000n - billed);
  });

  it('records output beyond the sent maximum as cost of the operator', async () => {
    const { secret } = await openAccount('100');
    const usage = { ...NO_USAGE, inputTokens: 10, outputTokens: 100_000 };
    harness.provider.next({ answer: { usage } });
    const response = await ask(secret);
    expect(response.status).toBe(200);
    const limit = Number(response.headers.get('x-tollgate-max-tokens'));
    expect(String(harness.provider.requests[0]?.body)).toContain(`"max_tokens":${limit}`);
    const billed = (await getRow(response))?.costNanoUsd ?? 0n;
    expect(billed).toBeGreaterThanOrEqual(BigInt(limit) * OUTPUT_NANO_USD);
    expect(billed).toBeLessThan(100_000n * OUTPUT_NANO_USD);
    expect(await getOperatorCost(response)).toBe(100_000n * OUTPUT_NANO_USD + 10_000n - billed);
  });

  it('bills only what the caller receives; a broken attempt is at the operator’s cost', async () => {
    const { secret } = await openAccount('10');
    harness.provider.next({ cutAfterBytes: 20 });
    const response = await ask(secret, { max_tokens: 50 });
    expect(response.status).toBe(200);
    expect(harness.provider.requests).toHaveLength(2);
    const row = await getRow(response);
    expect(row?.costNanoUsd).toBe(parseUsd(response.headers.get('x-tollgate-cost') ?? ''));
    expect(await getOperatorCost(response)).toBeGreaterThan(0n);
  });
});
