import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, expect, it, vi } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL } from '../gateway-fixture.ts';

const EVENTS = [
  '{"id":"x","choices":[{"index":0,"delta":{"role":"assistant","content":"Hello"}}]}',
  '{"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
  '[DONE]',
].map((data) => `data: ${data}\n\n`);
const BODY = EVENTS.join('');
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
const CHUNK = `${BODY.length.toString(16)}\r\n${BODY}\r\n`;
const LAST = '0\r\n\r\n';

/** What a provider sends together, and what it sends later. */
let [now, later] = ['', ''];
let sendLater = (): void => undefined;
const provider = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => undefined);
  socket.on('data', () => {
    socket.write(now);
    sendLater = () => void socket.write(later);
    provider.emit('asked');
  });
});
provider.listen(0, '127.0.0.1');
await once(provider, 'listening');

const harness = await createHarness();
const { db } = harness.database;
const { port } = provider.address() as AddressInfo;
await db.sql`UPDATE providers SET base_url = ${`http://127.0.0.1:${port}/v1`} WHERE dialect = 'openai-chat'`;
const { secret } = await createKeyFixture(db, harness.accountId);
const api = await startTestApi({ db, runtime: 'node' });

afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
  provider.close();
});

function ask(): Promise<Response> {
  const body = { model: MODEL, stream: true, messages: [{ role: 'user', content: 'Hi' }] };
  return post(`${api.baseUrl}/chat/completions`, body, { secret });
}

it.each([
  ['needs no checkpoint if its last read has all the rest of it', HEAD + CHUNK + LAST, ''],
  ['has a checkpoint before its terminator is sent if it goes on', HEAD + CHUNK, LAST],
])('a stream %s', async (_name, ...given) => {
  [now, later] = given;
  const { ledger } = api.deps;
  const checkpoint = vi.spyOn(ledger, 'checkpoint').mockClear();
  const settle = vi.spyOn(ledger, 'settle').mockClear();
  const response = await ask();
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(new TextDecoder().decode(first?.value)).toBe(BODY);
  expect(settle).toHaveBeenCalledTimes(later === '' ? 1 : 0);
  sendLater();
  expect(await reader?.read()).toMatchObject({ done: true });
  expect(checkpoint).toHaveBeenCalledTimes(later === '' ? 0 : 1);
  expect(settle).toHaveBeenCalledTimes(1);
  expect(settle.mock.calls[0]?.[0]).toMatchObject({ status: 200, errorCode: null });
});

it('a stream whose checkpoint fails is settled at its end', async () => {
  [now, later] = [HEAD + CHUNK, LAST];
  const { ledger } = api.deps;
  const checkpoint = vi.spyOn(ledger, 'checkpoint').mockImplementationOnce(() => {
    throw new Error('no checkpoint');
  });
  const settle = vi.spyOn(ledger, 'settle').mockClear();
  const answered = ask();
  await expect.poll(() => checkpoint.mock.results.at(-1)?.type).toBe('throw');
  expect(settle).not.toHaveBeenCalled();
  sendLater();
  expect(await (await answered).text()).toBe(BODY);
  expect(settle).toHaveBeenCalledTimes(1);
});

it('a stream without content is sent in the order of its events', async () => {
  const events = EVENTS.map((event) => event.replace(',"content":"Hello"', ''));
  const [first = '', ...rest] = events.map((event) => `${event.length.toString(16)}\r\n${event}\r\n`);
  [now, later] = [HEAD + first, rest.join('') + LAST];
  const answered = ask();
  await once(provider, 'asked');
  await wait(50); // Otherwise both come in one read.
  sendLater();
  expect(await (await answered).text()).toBe(events.join(''));
});
