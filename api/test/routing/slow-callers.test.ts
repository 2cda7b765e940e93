import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startStrategyGateway } from './strategy-gateway.ts';

const EVENT = `data: {"choices":[{"index":0,"delta":{"content":"${'x'.repeat(20_000)}"}}]}\n\n`;
const USAGE = 'data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":20,"total_tokens":29}}\n\n';
/** More than the buffers between a provider and a caller that does not read. */
const BODY = Buffer.from(`${EVENT.repeat(1_500)}${USAGE}data: [DONE]\n\n`);
const MIN_PAUSE_MS = 4_000;

it('a caller that reads slowly does not make a route slower for others', { timeout: 180_000 }, async () => {
  await using gateway = await startStrategyGateway();
  const { api, secrets, first, second } = gateway;
  const model = await gateway.addModel('lowest-latency');
  const routeIds = ['first', 'second'].map((name) => `route_${model}_${name}`);
  const estimate = () => [...api.deps.upstreams.strategies.latencies.estimate(routeIds, 'acct').values()];
  await expect
    .poll(async () => {
      await gateway.ask(model, { stream: true });
      return estimate();
    })
    .not.toContain(null);
  for (const provider of [first, second]) provider.always({ replay: { body: BODY }, split: 64 * 1024 });
  const send = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { authorization: `Bearer ${secrets[1]}`, 'content-type': 'application/json' };
      const call = request(`${api.baseUrl}/chat/completions`, { method: 'POST', headers }, resolve);
      call.once('error', reject);
      call.end(JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Write.' }] }));
    });
  // Each provider once, so that the estimates have what the body itself takes, which is long on a busy machine.
  let quickMs = 0;
  for (let count = 0; count < 2; count += 1) {
    const startMs = performance.now();
    await buffer(await send());
    quickMs = Math.max(quickMs, performance.now() - startMs);
  }
  await expect.poll(() => api.deps.inFlight.size).toBe(0);
  const before = Math.max(...estimate().map(Number));
  const pauseMs = Math.max(MIN_PAUSE_MS, 5 * quickMs);
  const response = await send();
  await sleep(pauseMs);
  expect((await buffer(response)).toString().endsWith('[DONE]\n\n')).toBe(true);
  await expect.poll(() => api.deps.inFlight.size).toBe(0);
  // The time would count for a fifth.
  expect(Math.max(...estimate().map(Number))).toBeLessThan(before + pauseMs / 10);
});
