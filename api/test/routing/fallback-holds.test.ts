import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import type { ServedRequest } from '@tollgate/testing/fake-provider/served-request';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CHAT, createFallbackGateway } from './fallback-gateway.ts';

const gateway = await createFallbackGateway();
const { api, chat, claude, addModel, addFallback, ask, findRecord, createKey } = gateway;
const { sql } = api.deps.db;
afterEach(() => {
  chat.reset();
  claude.reset();
});
afterAll(() => gateway[Symbol.asyncDispose]());

/** Per token: a request of 50 tokens costs at least 500,000 nano-dollars at one, and 5,000,000 at the other. */
const CHEAP = { outputPrice: 10_000 };
const DEAR = { outputPrice: 100_000 };

/** The hold of a request to the model, while its provider works on it. */
async function readHold(model: string): Promise<bigint> {
  const find = () => sql<{ held: string }[]>`
    SELECT held_nano_usd::text AS held FROM requests WHERE state = 'held'`;
  chat.next({ headersDelayMs: 400 });
  const answering = ask(CHAT, model);
  await expect.poll(find).toHaveLength(1);
  const [request] = await find();
  const response = await answering;
  expect(response.status).toBe(200);
  await findRecord(response);
  return BigInt(request?.held ?? '0');
}

describe('a request that may go to a fallback model', () => {
  it('holds the maximum cost of the most expensive model', async () => {
    const [cheap, dear] = [await addModel(CHEAP), await addModel(DEAR)];
    const alone = { cheap: await readHold(cheap), dear: await readHold(dear) };
    expect(alone.cheap).toBeLessThan(alone.dear);
    await addFallback(cheap, dear);
    expect(await readHold(cheap)).toBe(alone.dear);
    const other = await addModel(DEAR);
    await addFallback(other, cheap);
    expect(await readHold(other)).toBe(alone.dear);
  });

  it.each<[string, number, boolean]>([
    ['a budget that pays for both models', 0.02, true],
    ['a budget that pays only for the requested one', 0.002, false],
  ])('goes there with %s: %s', async (_, maxBudgetUsd, isPaid) => {
    const [cheap, dear] = [await addModel(CHEAP), await addModel({ ...DEAR, provider: 'claude' })];
    await addFallback(cheap, dear);
    const secret = await createKey({ maxBudgetUsd: String(maxBudgetUsd) });
    chat.next({ error: { status: 500 } });
    expect((await ask(CHAT, cheap, { secret })).status === 200).toBe(isPaid);
    expect(claude.requests).toHaveLength(isPaid ? 1 : 0);
    // The requested model answers with either budget.
    expect((await ask(CHAT, cheap, { secret })).status).toBe(200);
  });

  it('counts once in the rate limits of its key', async () => {
    const [model, fallback] = [await addModel(), await addModel({ provider: 'claude' })];
    await addFallback(model, fallback);
    const secret = await createKey({ rpm: 2 });
    chat.always({ error: { status: 500 } });
    const statuses = [];
    for (let at = 0; at < 3; at++) statuses.push((await ask(CHAT, model, { secret })).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  it.each<[number | undefined, number | undefined, string | null]>([
    [undefined, 20, '20'],
    [30, 20, '20'],
    [30, undefined, null],
    [20, 30, '30'],
  ])('has the maximum output of the fallback model: %s, then %s', async (own, other, shown) => {
    const model = await addModel(own === undefined ? {} : { maxOutputTokens: own });
    const limit = other === undefined ? {} : { maxOutputTokens: other };
    const fallback = await addModel({ provider: 'claude', ...limit });
    await addFallback(model, fallback);
    const { accountId } = await createAccountFixture(api.deps.db);
    const { secret: unheld } = await createKeyFixture(api.deps.db, accountId);
    for (const secret of [gateway.secret, unheld]) {
      chat.next({ error: { status: 500 } });
      const response = await ask(CHAT, model, { secret });
      expect([response.status, response.headers.get('x-tollgate-max-tokens')]).toEqual([200, shown]);
      expect(readMaximum(claude.requests.at(-1))).toBe(other ?? 50);
      expect(await findRecord(response)).toMatchObject({ model: fallback, requested: model });
    }
    const answered = await ask(CHAT, model);
    expect(answered.headers.get('x-tollgate-max-tokens')).toBe(own === undefined ? null : String(own));
  });

  it('is not changed for the requested model by what the fallback model needs', async () => {
    const [model, fallback] = [await addModel(), await addModel({ maxOutputTokens: 20 })];
    await addFallback(model, fallback);
    const response = await ask(CHAT, model);
    expect(response.headers.get('x-tollgate-max-tokens')).toBeNull();
    expect(readMaximum(chat.requests[0])).toBe(50);
  });
});

it('leaves a ledger that adds up', async () => {
  expect(await gateway.verify()).toEqual([]);
});

function readMaximum(request: ServedRequest | undefined): number | undefined {
  const body: unknown = JSON.parse(request?.body.toString() ?? '{}');
  return z.object({ max_tokens: z.number().optional() }).parse(body).max_tokens;
}
