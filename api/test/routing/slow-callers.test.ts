import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startStrategyGateway } from './strategy-gateway.ts';

const EVENT = `data: {"choices":[{"index":0,"delta":{"content":"${'x'.repeat(20_000)}"}}]}\n\n`;
const USAGE = 'data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":20,"total_tokens":29}}\n\n';
/** More than the buffers between a provider and a caller that does not read. */
const BODY = Buffer.from(`${EVENT.repeat(1_500)}${USAGE}data: [DONE]\n\n`);
const PAUSE_MS = 4_000;

it('a caller that reads slowly does not make a route slower for others', async () => {
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
  const before = Math.max(...estimate().map(Number));
  for (const provider of [first, second]) provider.always({ replay: { body: BODY }, split: 64 * 1024 });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${secrets[1]}`, 'content-type': 'application/json' };
    const call = request(`${api.baseUrl}/chat/completions`, { method: 'POST', headers }, resolve);
    call.once('error', reject);
    call.end(JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Write.' }] }));
  });
  await sleep(PAUSE_MS);
  expect((await buffer(response)).toString().endsWith('[DONE]\n\n')).toBe(true);
  await expect.poll(() => api.deps.inFlight.size).toBe(0);
  // The time would count for a fifth.
  expect(Math.max(...estimate().map(Number))).toBeLessThan(before + PAUSE_MS / 10);
});
