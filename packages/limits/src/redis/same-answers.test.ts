import { setTimeout as sleep } from 'node:timers/promises';
import { hasRedisServer, NO_REDIS_MESSAGE, startRedis } from '@tollgate/testing/redis-server';
import { describe, expect, it } from 'vitest';
import type { LimitDecision, LimitTicket, TakeRequest, WindowLimits } from '../limit-store.ts';
import { MemoryLimitStore } from '../memory-store.ts';
import { createRandom, type Random } from '../simulation/random.ts';
import { RedisLink } from './redis-link.ts';
import { RedisLimitStore } from './redis-store.ts';

if (!hasRedisServer) process.stdout.write(`${NO_REDIS_MESSAGE}: whether memory and Redis agree\n`);

interface Script {
  name: string;
  steps: number;
  limits(random: Random): WindowLimits;
  tokens(random: Random): number;
  gapMs(random: Random): number;
  /** Average overrun as a multiple of the reservation. */
  overrun: number;
}

const SCRIPTS: Script[] = [
  {
    name: 'small limits, large overruns, long silences',
    steps: 3000,
    limits: (random) => ({
      rpm: random.below(4) === 0 ? null : random.logarithmic(1, 30),
      tpm: random.below(4) === 0 ? null : random.logarithmic(200, 3000),
    }),
    tokens: (random) => random.below(300),
    gapMs: (random) => random.exponential(random.below(30) === 0 ? 200_000 : 2000),
    overrun: 20,
  },
  {
    name: 'more moments than are kept to the millisecond',
    steps: 6000,
    limits: (random) => ({ rpm: random.logarithmic(1100, 1500), tpm: random.logarithmic(20_000, 40_000) }),
    tokens: (random) => random.below(40),
    gapMs: (random) => random.exponential(10),
    overrun: 2,
  },
];

/** Results on which two stores must agree. */
function shown(decision: LimitDecision): unknown {
  return decision.ok ? { ok: true, state: decision.state } : decision;
}

describe.skipIf(!hasRedisServer)('memory and Redis', () => {
  it.each(SCRIPTS)(
    'answer the same: $name',
    async (script) => {
      await using redis = await startRedis();
      const link = new RedisLink({ url: redis.url, log: null, onUp: () => undefined });
      while (!link.isUp) await sleep(1);
      const random = createRandom(script.steps);
      let nowMs = Date.now();
      const memory = new MemoryLimitStore({ nowMs: () => nowMs });
      const shared = new RedisLimitStore(link, () => nowMs);
      const accounts = Array.from({ length: 3 }, () => script.limits(random));
      const keys = Array.from({ length: 3 }, () => script.limits(random));
      const inFlight: { tickets: [LimitTicket, LimitTicket]; reserved: number }[] = [];
      const counts = { admitted: 0, retry: 0, never: 0, overruns: 0 };
      for (let step = 0; step < script.steps; step++) {
        nowMs += script.gapMs(random);
        const index = random.below(keys.length);
        const owner = index % accounts.length;
        const request: TakeRequest = {
          accountId: `acct_${owner}`,
          keyId: `key_${index}`,
          key: keys[index] ?? { rpm: null, tpm: null },
          account: accounts[owner] ?? { rpm: null, tpm: null },
          tokens: script.tokens(random),
        };
        const [here, there] = [memory.take(request), await shared.take(request)];
        expect(shown(there), `step ${step}`).toEqual(shown(here));
        if (here.ok && there.ok) {
          counts.admitted += 1;
          inFlight.push({ tickets: [here.ticket, there.ticket], reserved: request.tokens });
        } else if (!here.ok && here.kind !== 'unavailable') counts[here.kind] += 1;
        if (inFlight.length > 0 && random.below(3) > 0) {
          const [ended] = inFlight.splice(random.below(inFlight.length), 1);
          if (ended === undefined) continue;
          const used = Math.floor(
            ended.reserved * (random.below(6) === 0 ? random.exponential(script.overrun) : random.unit()),
          );
          memory.trueUp(ended.tickets[0], used);
          shared.trueUp(ended.tickets[1], used);
          counts.overruns += Number(used > ended.reserved);
          nowMs += random.below(5);
          expect(await shared.peek(request), `step ${step}`).toEqual(memory.peek(request));
        }
      }
      link.close();
      process.stdout.write(
        `memory and Redis agree on ${script.steps} steps (${script.name}): ${JSON.stringify(counts)}\n`,
      );
      expect(Math.min(counts.admitted, counts.retry, counts.overruns)).toBeGreaterThan(50);
    },
    120_000,
  );
});
