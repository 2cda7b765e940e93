/** Tools that the provider runs make the model read its input again and again; the usage reports all of it. */
import { NO_USAGE } from '@tollgate/core/money/money';
import { putModel } from '@tollgate/db/queries/models/models';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createStage, MODEL, PRICES, type Stage } from '../gateway-fixture.ts';

const USD = 1_000_000_000n;
const CONTEXT_TOKENS = 200_000;
const MCP = {
  mcp_servers: [{ type: 'url', url: 'https://mcp.example/sse', name: 'x' }],
  tools: [{ type: 'mcp_toolset', mcp_server_name: 'x' }],
};
const search = (uses: number) => ({
  tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: uses }],
});
/** At a dollar per million. */
const contexts = (count: number) => BigInt(count * CONTEXT_TOKENS) * 1_000n;

let stage: Stage;
let api: TestApi;
beforeAll(async () => {
  stage = await createStage();
  const facts = { contextTokens: CONTEXT_TOKENS, maxOutputTokens: 8_000 };
  await putModel(stage.database.db, { id: MODEL, facts, prices: PRICES, now: new Date() });
  api = await startTestApi({ db: stage.database.db, runtime: 'node' });
});
beforeEach(() => stage.provider.reset());
afterAll(async () => {
  await api.close();
  await stage[Symbol.asyncDispose]();
});

/** Sends a request whose response reports the given input. @param balance of a new account */
async function bill(more: object, inputTokens: number, balance: bigint) {
  const { db } = stage.database;
  const { accountId } = await createAccountFixture(db, { planId: 'standard' });
  await creditBalance(db, { accountId, amountNanoUsd: balance });
  const { secret } = await createKeyFixture(db, accountId);
  stage.provider.next({ answer: { text: 'done', usage: { ...NO_USAGE, inputTokens, outputTokens: 500 } } });
  const asked = { model: MODEL, max_tokens: 1_000, messages: [{ role: 'user', content: 'x' }], ...more };
  const response = await post(`${api.baseUrl}/messages`, asked, { secret });
  expect(response.status).toBe(200);
  expect(response.headers.get('x-tollgate-max-tokens')).toBeNull();
  await api.deps.ledger.flush();
  const [row] = await db.sql<{ cost: bigint; held: bigint; unbilled: bigint }[]>`
    SELECT cost_nano_usd AS cost, held_nano_usd AS held, operator_cost_nano_usd AS unbilled
    FROM requests WHERE id = ${response.headers.get('x-request-id')}`;
  return row;
}

it.each([
  ['an MCP server', MCP],
  ['a search', search(10)],
])('bills every turn that the usage reports: %s', async (_, more) => {
  const charged = contexts(10) + 500n * 5_000n;
  const row = await bill(more, 10 * CONTEXT_TOKENS, 100n * USD);
  expect(row).toMatchObject({ cost: charged, unbilled: 0n });
});

it('sends a request whose account can pay for one turn only, and records the rest as unbilled', async () => {
  const row = await bill(MCP, 10 * CONTEXT_TOKENS, USD / 2n);
  expect(row).toMatchObject({ cost: USD / 2n, held: USD / 2n });
  expect(row?.unbilled).toBe(contexts(10) + 500n * 5_000n - USD / 2n);
});

it('bills at most eleven turns of tools without a limit', async () => {
  const row = await bill(MCP, 15 * CONTEXT_TOKENS, 100n * USD);
  const bound = contexts(11) + 1_000n * 5_000n;
  expect(row).toMatchObject({ cost: bound, unbilled: contexts(15) + 500n * 5_000n - bound });
});

it('holds one turn of a request without such tools', async () => {
  const row = await bill({ tools: [{ name: 'own', input_schema: { type: 'object' } }] }, 100, 100n * USD);
  expect(row?.held).toBeLessThan(contexts(1));
});
