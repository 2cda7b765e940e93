import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import type { TokenUsage } from '@tollgate/core/money/money';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { PRICES } from '../gateway-fixture.ts';
import { NATIVE } from '../native-provider.ts';
import { startSocketHarness, TRANSLATED } from './socket-harness.ts';

const harness = await startSocketHarness({ drainAfterDisconnectMs: 4_000 });
const { provider } = harness;
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => provider.reset());

const getBill = (usage: TokenUsage | null | undefined) => (usage ? computeCost(usage, PRICES) : -1n);

it('bills each response exactly, and nothing for the start of a conversation', async () => {
  const { accountId, secret } = await harness.openAccount();
  await using socket = await harness.open(secret);
  const start = await socket.ask({ model: TRANSLATED, input: 'One.', generate: false });
  const first = await socket.ask({
    model: TRANSLATED,
    input: 'Two.',
    previous_response_id: start.response?.id,
  });
  await socket.ask({ model: TRANSLATED, input: 'Three.', previous_response_id: first.response?.id });
  const bills = await harness.readBills(accountId);
  expect(bills.map(({ status, error, cost }) => ({ status, error, cost }))).toEqual([
    { status: 200, error: null, cost: 0n },
    ...provider.requests.map(({ usage }) => ({ status: 200, error: null, cost: getBill(usage) })),
  ]);
  expect(bills[1]?.cost).toBeGreaterThan(0n);
});

it('refuses the next response with 402 when the budget is used up, and stays open', async () => {
  const { accountId, secret } = await harness.openAccount('1000', { maxBudgetUsd: '0.004' });
  await using socket = await harness.open(secret);
  provider.always({ answer: { words: 500 } });
  const events = [];
  for (let turn = 0; turn < 3; turn += 1)
    events.push(await socket.ask({ model: TRANSLATED, input: 'Write.', max_output_tokens: 600 }));
  expect(events[0]).toMatchObject({ type: 'response.completed' });
  expect(events.at(-1)).toMatchObject({
    type: 'error',
    status: 402,
    error: { code: 'budget_exceeded', type: 'billing_error' },
    headers: { 'x-should-retry': 'false' },
  });
  const bills = await harness.readBills(accountId);
  expect(bills.reduce((sum, { cost }) => sum + cost, 0n)).toBe(
    provider.requests.reduce((sum, { usage }) => sum + getBill(usage), 0n),
  );
});

it('says in the event when a limited key may send the next response', async () => {
  const { secret } = await harness.openAccount('1000', { rpm: 1 });
  await using socket = await harness.open(secret);
  await socket.ask({ model: NATIVE, input: 'Hi.' });
  const refused = await socket.ask({ model: NATIVE, input: 'Hi.' });
  expect(refused).toMatchObject({ type: 'error', status: 429, error: { code: 'rate_limit_requests' } });
  expect(Number(refused.headers?.['retry-after-ms'])).toBeGreaterThan(0);
  expect(Number(refused.headers?.['retry-after'])).toBeGreaterThan(0);
  expect(refused.headers).toMatchObject({ 'x-ratelimit-limit-requests': '1' });
});

it('counts invalid messages as requests, so that they cannot be sent without end', async () => {
  const { secret } = await harness.openAccount('1000', { rpm: 3 });
  await using socket = await harness.open(secret);
  for (let sent = 0; sent < 5; sent += 1) socket.webSocket.send('{"type":"unknown"}');
  const statuses = [];
  for (let read = 0; read < 5; read += 1) statuses.push((await socket.next(() => true)).status);
  expect(statuses).toEqual([400, 400, 400, 429, 429]);
});

it('counts binary messages and streams over the limit as requests, too', async () => {
  const { secret } = await harness.openAccount('1000', { rpm: 36 });
  await using socket = await harness.open(secret);
  const statuses = [];
  const codes = [];
  for (let sent = 0; sent < 40; sent += 1) {
    const text = JSON.stringify({ type: 'unknown', stream_id: `s${sent}` });
    if (sent < 35) socket.webSocket.send(text);
    else socket.webSocket.send(Buffer.from('x'), { binary: true });
    const { status, error, stream_id: streamId } = await socket.next(() => true);
    if (sent < 35) expect(streamId).toBe(`s${sent}`);
    statuses.push(status);
    codes.push(error?.code);
  }
  expect(statuses.slice(34)).toEqual([400, 400, 429, 429, 429, 429]);
  expect(codes.slice(31, 34)).toEqual(['invalid_request', 'invalid_stream_id', 'invalid_stream_id']);
});

it('ends a response with an error event if its provider fails, and bills what was sent', async () => {
  const { accountId, secret } = await harness.openAccount();
  await using socket = await harness.open(secret);
  provider.next({ answer: { words: 200 }, cutAfterBytes: 8_000 });
  const failed = await socket.ask({ model: TRANSLATED, input: 'Write.', stream_id: 's' });
  expect(failed).toMatchObject({
    type: 'error',
    status: 502,
    stream_id: 's',
    error: { type: 'server_error' },
  });
  const [bill] = await harness.readBills(accountId);
  expect(bill).toMatchObject({ status: 200, error: expect.stringMatching(/^upstream_/) });
  expect(bill?.output).toBeGreaterThan(0);
  // The connection can still be used.
  expect(await socket.ask({ model: TRANSLATED, input: 'Hi.' })).toMatchObject({ type: 'response.completed' });
});

it('bills a response whose client disconnects as its provider reports it', async () => {
  const { accountId, secret } = await harness.openAccount();
  const socket = await harness.open(secret);
  provider.next({ answer: { words: 60 }, intervalMs: 20 });
  socket.create({ model: TRANSLATED, input: 'Write.' });
  await socket.next(({ type }) => type === 'response.output_text.delta');
  socket.webSocket.terminate();
  const [request] = provider.requests;
  await request?.finished;
  await expect.poll(() => harness.readBills(accountId)).toHaveLength(1);
  expect(await harness.readBills(accountId)).toMatchObject([
    { status: 499, error: 'client_gone', cost: getBill(request?.usage) },
  ]);
  expect(request?.outcome).toBe('complete');
});

it('releases all memory when connections close', async () => {
  {
    await using socket = await harness.open();
    const first = await socket.ask({ model: NATIVE, input: 'Hi.', store: false });
    await socket.ask({ model: NATIVE, input: 'Hi.', previous_response_id: first.response?.id });
    expect(harness.api.deps.sockets.remembered.bytes).toBeGreaterThan(0);
  }
  await expect.poll(() => harness.api.deps.sockets.size).toBe(0);
  expect(harness.api.deps.sockets.remembered.bytes).toBe(0);
  expect(harness.api.deps.bodyBudget.usedBytes).toBe(0);
});

it('leaves a ledger that adds up', async () => {
  expect((await verifyLedger(harness.database.db, { recompute: null })).findings).toEqual([]);
});
