import type { GatewayError } from '@tollgate/core/errors/errors';
import { createKeyFixture } from '@tollgate/testing/factories';
import type { Script } from '@tollgate/testing/fake-provider/script';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL } from '../gateway-fixture.ts';

const harness = await createHarness();
const { db } = harness.database;
// The provider speaks only chat completions: the other dialects are translated.
await db.sql`DELETE FROM routes WHERE provider_id IN (SELECT id FROM providers WHERE dialect <> 'openai-chat')`;
const { secret } = await createKeyFixture(db, harness.accountId);
const api = await startTestApi({
  db,
  runtime: 'node',
  attempts: 1,
  // One failure would open the breaker.
  breaker: { failures: 1, openMs: 60_000 },
  drainAfterDisconnectMs: 400,
  // Pings would be due while the provider is silent.
  tickMs: 100,
  timeouts: { connectMs: 2_000, firstByteMs: 2_000, idleMs: 700, totalMs: 8_000 },
});

/** The same without short timeouts, for events that take long to arrive. */
const patient = await startTestApi({ db, runtime: 'node' });

afterAll(async () => {
  await api.close();
  await patient.close();
  await harness[Symbol.asyncDispose]();
});

const EVENTS = [
  '{"id":"x","choices":[{"index":0,"delta":{"role":"assistant","content":"Hello"}}]}',
  '{"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
  '{"id":"x","choices":[],"usage":{"prompt_tokens":20,"completion_tokens":4000,"total_tokens":4020}}',
  '[DONE]',
].map((data) => `data: ${data}\n\n`);
const WHOLE = EVENTS.join('');
const LATE = 'data: {"id":"x","choices":[],"usage":{"prompt_tokens":20,"completion_tokens":5000}}\n\n';
const messages = [{ role: 'user', content: 'Hi' }];
const ENDPOINTS = [
  ['/chat/completions', { messages }, /data: \[DONE\]\n\n$/],
  ['/messages', { messages, max_tokens: 5_000 }, /event: message_stop\ndata: [^\n]*\n\n$/],
  ['/responses', { input: 'Hi' }, /event: response\.completed\ndata: [^\n]*\n\n$/],
] as const;

function cutKeys(error: GatewayError): void {
  const { inFlight } = api.deps;
  for (const hashHex of inFlight.keyHashes()) inFlight.cutKey(hashHex, error);
}

/** @param options `atEnd`: called once the caller has the terminator; true: the caller closes */
async function ask(
  path: string,
  asked: object,
  script: Script,
  end: RegExp,
  { atEnd = (): boolean => false, gateway = api } = {},
) {
  harness.provider.reset();
  harness.provider.next(script);
  const response = await post(
    `${gateway.baseUrl}${path}`,
    { model: MODEL, stream: true, ...asked },
    { secret },
  );
  let text = '';
  let hasEnded = false;
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (hasEnded || !end.test(text)) continue;
    hasEnded = true;
    // Breaking out closes the connection.
    if (atEnd()) break;
  }
  const id = response.headers.get('x-request-id');
  const read = async () => {
    await gateway.deps.ledger.flush();
    const [row] = await db.sql`
      SELECT status, error_code AS "errorCode", attempts, output_tokens AS output, estimated
      FROM requests WHERE id = ${id} AND state = 'settled'`;
    return row;
  };
  await expect.poll(read, { timeout: 5_000 }).toBeDefined();
  return { text, row: await read() };
}

describe.each(ENDPOINTS)('a response whose terminator has arrived is complete: %s', (path, asked, end) => {
  const complete = { status: 200, errorCode: null, attempts: null, estimated: false };

  it.each<[string, Script]>([
    ['is cut', { replay: { body: WHOLE }, cutAfterBytes: WHOLE.length }],
    ['is reset', { replay: { body: WHOLE }, cutAfterBytes: WHOLE.length, cutBy: 'reset' }],
    ['is silent', { replay: { body: WHOLE }, stallAfterBytes: WHOLE.length }],
    ['is cut in a further event', { replay: { body: WHOLE + LATE }, cutAfterBytes: WHOLE.length + 9 }],
  ])('if the connection %s', async (_name, script) => {
    const { text, row } = await ask(path, asked, script, end);
    expect(text).toMatch(end);
    expect(row).toEqual({ ...complete, output: 4000 });
  });

  it('if the caller closes before the provider does', async () => {
    const script = { replay: { body: WHOLE }, stallAfterBytes: WHOLE.length };
    const { row } = await ask(path, asked, script, end, { atEnd: () => true });
    expect(row).toEqual({ ...complete, output: 4000 });
  });

  it.each([
    ['its key is revoked', cutKeys],
    ['the gateway shuts down', (error: GatewayError) => api.deps.inFlight.stopAll(error)],
  ])('if %s before the provider closes', async (_name, cut) => {
    const script = { replay: { body: WHOLE }, stallAfterBytes: WHOLE.length };
    const atEnd = () => {
      cut({ code: 'shutting_down', message: 'It ends.' });
      return false;
    };
    const { text, row } = await ask(path, asked, script, end, { atEnd });
    expect(text).toMatch(end);
    expect(row).toEqual({ ...complete, output: 4000 });
  });

  it('if an event of more than 16 MiB follows', async () => {
    const body = `${WHOLE}data: ${'x'.repeat(17 * 1024 * 1024)}`;
    const { text, row } = await ask(path, asked, { replay: { body } }, end, { gateway: patient });
    expect(text).toMatch(end);
    expect(row).toEqual({ ...complete, output: 4000 });
  });

  it('and usage that comes after the caller has left is billed', async () => {
    const body = `${EVENTS.filter((data) => !data.includes('4000')).join('')}${LATE}`;
    const script: Script = { replay: { body }, split: 'natural', intervalMs: 60 };
    const { row } = await ask(path, asked, script, end, { atEnd: () => true });
    expect(row).toEqual({ ...complete, output: 5000 });
  });
});

it('no later checkpoint replaces the one of a complete response', async () => {
  const own = await startTestApi({ db, runtime: 'node', attempts: 1 });
  const checkpoints = vi.spyOn(own.deps.ledger, 'checkpoint');
  const script = { replay: { body: WHOLE }, stallAfterBytes: WHOLE.length };
  harness.provider.reset();
  harness.provider.next(script);
  const body = { model: MODEL, stream: true, messages };
  const response = await post(`${own.baseUrl}/chat/completions`, body, { secret });
  const reader = response.body?.getReader();
  await reader?.read();
  // A checkpoint of a running response would be due by then.
  await sleep(3_000);
  await reader?.cancel();
  await own.close();
  expect(checkpoints.mock.calls.map(([{ status, estimated }]) => ({ status, estimated }))).toEqual([
    { status: 200, estimated: false },
  ]);
});
