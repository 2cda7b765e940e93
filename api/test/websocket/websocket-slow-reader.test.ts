import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { afterAll, expect, it, vi } from 'vitest';
import { EventSplitter } from '../../src/websocket/event-splitter.ts';
import { PRICES } from '../gateway-fixture.ts';
import { startSocketHarness } from './socket-harness.ts';

const MIB = 1024 * 1024;
const sendingPace = { graceMs: 1_000, minBytesPerSecond: MIB / 2, checkEveryMs: 50 };
const harness = await startSocketHarness({ tickMs: 50, sockets: { sendingPace } });
const { largeAnswers, sockets } = harness.api.deps;
const item = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'A'.repeat(12 * MIB) };
const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'in_progress',
  model: 'upstream',
  output: [],
  usage: { input_tokens: 5, output_tokens: 5, total_tokens: 10 },
};
const provider = createServer((request, answer) => {
  request.resume().on('end', () => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    answer.end(
      [
        { type: 'response.created', response },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: { ...response, status: 'completed' } },
      ]
        .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
        .join(''),
    );
  });
});
await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
await ensureBuiltIn(harness.database.db, {
  name: 'images',
  dialect: 'openai-responses',
  baseUrl: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`,
  credentialEnv: null,
  preset: null,
  models: [{ id: 'image-model', upstreamModel: 'upstream', facts: {}, prices: PRICES }],
});
await harness.api.deps.catalogue.load();
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await new Promise((resolve) => provider.close(resolve));
});

it('drops a client that reads a large event so slowly that its memory is not free for others', async () => {
  const socket = await harness.open();
  socket.create({ model: 'image-model', input: 'Draw.' });
  await socket.next(({ type }) => type === 'response.created');
  socket.webSocket.pause();
  await expect.poll(() => largeAnswers.budget.usedBytes).toBeGreaterThan(MIB);
  // Never silent, so it is not stalled.
  const drip = setInterval(() => {
    socket.webSocket.resume();
    setImmediate(() => socket.webSocket.pause());
  }, 1_000);
  await expect.poll(() => largeAnswers.budget.usedBytes, { timeout: 20_000 }).toBe(0);
  clearInterval(drip);
  await expect.poll(() => sockets.size).toBe(0);
  socket.webSocket.resume();
  await socket.closed;
});

it.each([null, 's'])(
  'passes a large event on without searching all of it, of stream %s',
  async (streamId) => {
    const push = vi.spyOn(EventSplitter.prototype, 'push');
    await using socket = await harness.open();
    socket.create({
      model: 'image-model',
      input: 'Draw.',
      ...(streamId === null ? {} : { stream_id: streamId }),
    });
    const given = await socket.next(({ type }) => type === 'response.output_item.done');
    await socket.next(({ type }) => type === 'response.completed');
    const { stream_id: named = null, ...event } = given;
    expect(named).toBe(streamId);
    expect(event).toEqual({ type: 'response.output_item.done', output_index: 0, item });
    expect(Math.max(...push.mock.calls.map(([bytes]) => bytes.length))).toBeLessThan(MIB);
    push.mockRestore();
  },
);

it('waits for a client that reads a large event after a pause', async () => {
  await using socket = await harness.open();
  socket.create({ model: 'image-model', input: 'Draw.' });
  await socket.next(({ type }) => type === 'response.created');
  socket.webSocket.pause();
  setTimeout(() => socket.webSocket.resume(), 200);
  await socket.next(({ type }) => type === 'response.completed');
  await expect.poll(() => largeAnswers.budget.usedBytes).toBe(0);
  expect(sockets.size).toBe(1);
});
