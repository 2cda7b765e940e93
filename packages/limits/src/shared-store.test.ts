import { setTimeout as sleep } from 'node:timers/promises';
import { hasRedisServer, NO_REDIS_MESSAGE, startRedis } from '@tollgate/testing/redis-server';
import { describe, expect, it } from 'vitest';
import { createLimits, type Limits } from './create-limits.ts';
import type { LimitDecision, TakeRequest } from './limit-store.ts';

const LIMITS = { rpm: 20, tpm: 100_000 };

function getRequest(keyId: string, part: Partial<TakeRequest> = {}): TakeRequest {
  return { accountId: 'acct', keyId, key: LIMITS, account: { rpm: null, tpm: null }, tokens: 1, ...part };
}

async function until(isSo: () => boolean): Promise<number> {
  const startedMs = performance.now();
  while (!isSo()) {
    if (performance.now() - startedMs > 10_000) throw new Error('it did not come to that within 10 s');
    await sleep(2);
  }
  return Math.round(performance.now() - startedMs);
}

async function admit(limits: Limits, keyId: string, count: number): Promise<number> {
  const decisions = await Promise.all(
    Array.from({ length: count }, async () => limits.take(getRequest(keyId))),
  );
  return decisions.filter((decision) => decision.ok).length;
}

it('keeps limits in memory without a Redis URL', async () => {
  const limits = await createLimits({ redisUrl: null });
  expect(limits.health()).toBe('memory');
  expect(limits.take(getRequest('key'))).toMatchObject({ ok: true });
  await limits.close();
});

it('rejects an invalid URL', async () => {
  await expect(createLimits({ redisUrl: 'http://127.0.0.1' })).rejects.toThrow(TypeError);
});

if (!hasRedisServer) process.stdout.write(`${NO_REDIS_MESSAGE}: limits during Redis outages\n`);

describe.skipIf(!hasRedisServer)('limits during Redis outages', () => {
  it('hold when Redis is killed and restarted empty under load', async () => {
    await using redis = await startRedis();
    const limits = await createLimits({ redisUrl: redis.url });
    expect(limits.health()).toBe('redis');
    const keys = Array.from({ length: 20 }, (_, index) => `key_${index}`);
    const admitted = new Map(keys.map((key) => [key, 0]));
    const counts = { asked: 0, admitted: 0 };
    const traffic = new AbortController();
    const ended = Promise.all(
      keys.map(async (key) => {
        while (!traffic.signal.aborted) {
          const decision = await limits.take(getRequest(key));
          counts.asked += 1;
          if (decision.ok) {
            counts.admitted += 1;
            admitted.set(key, (admitted.get(key) ?? 0) + 1);
            limits.trueUp(decision.ticket, 0);
          }
          await sleep(20);
        }
      }),
    );
    await sleep(100);
    await redis.kill();
    const noticedMs = await until(() => limits.health() === 'degraded');
    await sleep(300);
    await redis.restart();
    const returnedMs = await until(() => limits.health() === 'redis');
    await sleep(600);
    traffic.abort();
    await ended;
    process.stdout.write(
      `Redis killed and restarted: noticed after ${noticedMs} ms, back ${returnedMs} ms after its start; ` +
        `${counts.asked} asked, ${counts.admitted} of ${keys.length * LIMITS.rpm} admitted\n`,
    );
    expect([...admitted.values()]).toEqual(keys.map(() => LIMITS.rpm));
    await limits.close();
  });

  it('respond quickly while Redis is silent, and later include requests admitted meanwhile', async () => {
    await using redis = await startRedis();
    const limits = await createLimits({ redisUrl: redis.url });
    expect(await admit(limits, 'key', 5)).toBe(5);
    redis.freeze();
    const startedMs = performance.now();
    const inSilence = await limits.take(getRequest('key', { tokens: 500 }));
    const tookMs = Math.round(performance.now() - startedMs);
    expect(inSilence.ok).toBe(true);
    expect(limits.health()).toBe('degraded');
    // From here on, requests do not wait.
    const decision = limits.take(getRequest('key'));
    expect(decision).not.toBeInstanceOf(Promise);
    redis.thaw();
    await until(() => limits.health() === 'redis');
    if (inSilence.ok) limits.trueUp(inSilence.ticket, 0);
    expect(await admit(limits, 'key', 50)).toBe(LIMITS.rpm - 7);
    expect(await limits.peek(getRequest('key'))).toMatchObject({ key: { requests: { remaining: 1 } } });
    process.stdout.write(`Redis silent: memory decided after ${tookMs} ms\n`);
    await limits.close();
  });

  it('start without Redis and connect when it becomes available', async () => {
    await using redis = await startRedis();
    await redis.kill();
    const messages: string[] = [];
    const log = { info: (_: object, text: string) => void messages.push(text), warn: () => undefined };
    const limits = await createLimits({ redisUrl: redis.url, log });
    expect(limits.health()).toBe('degraded');
    expect(await admit(limits, 'key', 30)).toBe(LIMITS.rpm);
    await redis.restart();
    await until(() => limits.health() === 'redis');
    expect(await admit(limits, 'key', 30)).toBe(0);
    expect(messages).toEqual(['Redis keeps the limits']);
    await limits.close();
  });

  it('include the last known usage of other processes without Redis', async () => {
    await using redis = await startRedis();
    const [one, other] = [
      await createLimits({ redisUrl: redis.url }),
      await createLimits({ redisUrl: redis.url }),
    ];
    expect(await admit(one, 'key', 15)).toBe(15);
    expect(await admit(other, 'key', 1)).toBe(1);
    await redis.kill();
    await until(() => other.health() === 'degraded');
    expect(await admit(other, 'key', 10)).toBe(LIMITS.rpm - 16);
    await one.close();
    await other.close();
  });

  it('reload their script when Redis lost it', async () => {
    await using redis = await startRedis();
    const limits = await createLimits({ redisUrl: redis.url });
    const decisions: LimitDecision[] = [await limits.take(getRequest('key'))];
    await redis.command('SCRIPT FLUSH');
    decisions.push(
      ...(await Promise.all(Array.from({ length: 30 }, async () => limits.take(getRequest('key'))))),
    );
    expect(decisions.filter((decision) => decision.ok)).toHaveLength(LIMITS.rpm);
    expect(limits.health()).toBe('redis');
    await limits.close();
  });

  it('use memory while the server is read-only, and Redis afterwards', async () => {
    await using redis = await startRedis();
    const limits = await createLimits({ redisUrl: redis.url });
    expect(await admit(limits, 'key', 15)).toBe(15);
    await redis.command('REPLICAOF 127.0.0.1 1');
    expect(await admit(limits, 'key', 15)).toBe(5);
    expect(limits.health()).toBe('degraded');
    await redis.command('REPLICAOF NO ONE');
    await until(() => limits.health() === 'redis');
    expect(await admit(limits, 'key', 5)).toBe(0);
    await limits.close();
  });

  it('leave no data on the server once their windows are empty', async () => {
    await using redis = await startRedis();
    const limits = await createLimits({ redisUrl: redis.url });
    await admit(limits, 'key', 5);
    const ttl = Number((await redis.command('PTTL tollgate:limits:{acct}:key:key')).slice(1));
    expect(ttl).toBeGreaterThan(59_000);
    expect(ttl).toBeLessThanOrEqual(61_000);
    await limits.close();
  });
});
