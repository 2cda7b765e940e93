import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasRedisServer, NO_REDIS_MESSAGE, startRedis, type TestRedis } from '@tollgate/testing/redis-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLimits } from '../create-limits.ts';
import type { LimitStore } from '../limit-store.ts';
import { describeLimitStore } from '../limit-store.contract.ts';
import { MemoryLimitStore } from '../memory-store.ts';
import { SharedLimitStore } from '../shared-store.ts';
import { RedisLink } from './redis-link.ts';
import { RedisLimitStore } from './redis-store.ts';

if (!hasRedisServer) process.stdout.write(`${NO_REDIS_MESSAGE}: limits in Redis\n`);

describe.skipIf(!hasRedisServer)('limits in Redis', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(async () => {
    await redis[Symbol.asyncDispose]();
  });

  async function openLink(): Promise<RedisLink> {
    const link = new RedisLink({ url: redis.url, log: null, onUp: () => undefined });
    while (!link.isUp) await sleep(1);
    return link;
  }

  /** Changes the time of the windows, not of the server: hashes expire in real time. */
  function turnable(startMs: number) {
    let nowMs = startMs;
    return { nowMs: () => nowMs, turnMs: (ms: number) => void (nowMs += ms) };
  }

  it('keep all windows of an account on one cluster node', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-redis-'));
    {
      const settings = ['--cluster-enabled', 'yes', '--cluster-config-file', path.join(folder, 'nodes.conf')];
      await using node = await startRedis(settings);
      expect(await node.command('CLUSTER ADDSLOTSRANGE 0 16383')).toBe('+OK');
      while (!(await node.command('CLUSTER INFO')).includes('cluster_state:ok')) await sleep(10);
      const limits = await createLimits({ redisUrl: node.url });
      const owner = { rpm: 2, tpm: 10 };
      const request = { accountId: 'acct_1', keyId: 'key_1', key: owner, account: owner, tokens: 1 };
      const decisions = [await limits.take(request), await limits.take(request), await limits.take(request)];
      expect(decisions.map((decision) => decision.ok)).toEqual([true, true, false]);
      expect(limits.health()).toBe('redis');
      const slots = [':key:key_1', ':account'].map((end) =>
        node.command(`CLUSTER KEYSLOT tollgate:limits:{acct_1}${end}`),
      );
      expect(new Set(await Promise.all(slots)).size).toBe(1);
      await limits.close();
    }
    await rm(folder, { recursive: true });
  });

  describeLimitStore('Redis alone', async () => {
    const link = await openLink();
    const time = turnable(Date.now());
    const alone = new RedisLimitStore(link, time.nowMs);
    const store: LimitStore = {
      take: (request) => alone.take(request),
      trueUp: (ticket, tokens) => {
        alone.trueUp(ticket, tokens);
      },
      peek: (owners) => alone.peek(owners),
      close: () => Promise.resolve(),
    };
    return {
      store,
      turnMs: time.turnMs,
      [Symbol.asyncDispose]: () => {
        link.close();
        return Promise.resolve();
      },
    };
  });

  describeLimitStore('Redis with memory behind it', async () => {
    const time = turnable(Date.now());
    const store = await createLimits({ redisUrl: redis.url, clock: time, redisNowMs: time.nowMs });
    return { store, turnMs: time.turnMs, [Symbol.asyncDispose]: () => store.close() };
  });

  describeLimitStore('memory, with Redis away', () => {
    const time = turnable(Date.now());
    const link = new RedisLink({ url: 'redis://127.0.0.1:1', log: null, onUp: () => undefined });
    const memory = new MemoryLimitStore(time);
    const store = new SharedLimitStore({
      memory,
      redis: new RedisLimitStore(link),
      link,
      clock: time,
      deadlineMs: 250,
    });
    return Promise.resolve({ store, turnMs: time.turnMs, [Symbol.asyncDispose]: () => store.close() });
  });
});
