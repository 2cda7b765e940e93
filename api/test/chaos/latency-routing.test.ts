import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startStrategyGateway } from '../routing/strategy-gateway.ts';

const FAST_MS = 120;
const SLOW_MS = 360;
const PER_SECOND = 30;
const SECONDS_UNTIL_SWAP = 12;

type Gateway = Awaited<ReturnType<typeof startStrategyGateway>>;

/** Starts requests at a constant rate. @returns the time to the first byte of each, in ms */
async function load({ ask }: Gateway, model: string, seconds: number): Promise<number[]> {
  const startMs = performance.now();
  const running: Promise<number>[] = [];
  for (let sent = 0; sent < seconds * PER_SECOND; sent += 1) {
    const dueMs = startMs + (sent * 1_000) / PER_SECOND - performance.now();
    if (dueMs > 0) await sleep(dueMs);
    running.push(ask(model, { stream: true, text: `Question ${sent}` }).then(({ firstMs }) => firstMs));
  }
  return Promise.all(running);
}

const getP95 = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? 0;

it('answers as fast as the faster of two providers whose speeds swap, at the 95th percentile', async () => {
  await using gateway = await startStrategyGateway();
  const { first, second, addModel } = gateway;
  const setDelays = (firstMs: number, secondMs: number) => {
    first.always({ firstByteDelayMs: firstMs });
    second.always({ firstByteDelayMs: secondMs });
  };
  setDelays(FAST_MS, FAST_MS);
  const fastest = getP95(await load(gateway, await addModel('weighted'), 3));

  const model = await addModel('lowest-latency');
  setDelays(FAST_MS, SLOW_MS);
  const before = await load(gateway, model, SECONDS_UNTIL_SWAP);
  setDelays(SLOW_MS, FAST_MS);
  const after = await load(gateway, model, SECONDS_UNTIL_SWAP);

  const times = [...before, ...after];
  expect(getP95(times)).toBeLessThanOrEqual(fastest * 1.1);
  // A draw by weight would send half of the requests to the slower one.
  expect(times.filter((ms) => ms >= SLOW_MS).length / times.length).toBeLessThan(0.05);
});
