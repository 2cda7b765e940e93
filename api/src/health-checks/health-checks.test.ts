import { Buffer } from 'node:buffer';
import type { RouteBreakers } from '@tollgate/upstreams/routing/route-breakers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ANSWER, createModel, openChecks } from './health-checks.fixture.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: 1_000_000 });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => vi.useRealTimers());

const turn = (ms: number) => vi.advanceTimersByTime(ms);
const fail = (breakers: RouteBreakers, id: string) =>
  breakers.fail(id, { accountId: 'a', error: 'cut', isUnreachable: false });

describe('the time of a health check', () => {
  it('is within the first interval, then a little earlier than the next one, and not while it runs', async () => {
    const { settle, models } = openChecks(createModel('m'));
    turn(5_000);
    expect(models()).toEqual([]);
    turn(1_000);
    expect(models()).toEqual(['m']);
    turn(30_000);
    expect(models()).toHaveLength(1);
    await settle();
    turn(1_000);
    expect(models()).toHaveLength(2);
    await settle();
    turn(8_000);
    expect(models()).toHaveLength(2);
    turn(1_000);
    expect(models()).toHaveLength(3);
  });

  it('is earlier if the interval was shortened, and new if the route was away', async () => {
    const { catalogue, models } = openChecks(createModel('m', { intervalS: 3_600 }));
    turn(1_000);
    catalogue.current = new Map([['m', createModel('m')]]);
    turn(1_000);
    expect(models()).toEqual(['m']);
    catalogue.current = new Map();
    turn(20_000);
    catalogue.current = new Map([['other', createModel('other')]]);
    turn(1_000);
    catalogue.current = new Map();
    turn(20_000);
    catalogue.current = new Map([['other', createModel('other')]]);
    turn(2_000);
    expect(models()).toEqual(['m']);
  });

  it('comes for each route, although only 16 run at the same time', async () => {
    const ids = Array.from({ length: 40 }, (_, at) => `m${at}`);
    const { settle, models } = openChecks(...ids.map((id) => createModel(id)));
    turn(6_000);
    expect(models()).toHaveLength(16);
    for (let round = 0; round < 4; round += 1) {
      await settle();
      turn(10_000);
    }
    expect(new Set(models())).toEqual(new Set(ids));
  });
});

describe('a health check is sent', () => {
  it('with each usable credential of a provider', () => {
    const { usable, models } = openChecks(createModel('m'));
    usable.mockImplementation((routes) => [...routes]);
    turn(6_000);
    expect(models()).toEqual(['m', 'm']);
  });

  it('for models with a price that can answer', () => {
    const { models } = openChecks(
      createModel('unpriced', { isPriced: false }),
      createModel('embeddings', { capabilities: ['embeddings'] }),
      createModel('m'),
    );
    turn(6_000);
    expect(models()).toEqual(['m']);
  });

  it('if no request was answered for the interval, or the breaker is not closed', () => {
    const { served, breakers, models } = openChecks(
      createModel('idle'),
      createModel('open'),
      createModel('used'),
    );
    turn(4_000);
    for (const model of ['open', 'used']) served.note(`route_${model}`);
    fail(breakers, 'route_open');
    turn(2_000);
    expect(models()).toEqual(['idle', 'open']);
    turn(8_000);
    expect(models()).toEqual(['idle', 'open']);
    turn(1_000);
    expect(models()).toEqual(['idle', 'open', 'used']);
  });

  it('if its provider has a free place, which it gives back', async () => {
    const { concurrency, settle, models } = openChecks(createModel('m', { maxConcurrency: 1 }));
    const place = concurrency.tryAcquire('m', 1, 'acct_1');
    turn(6_000);
    expect(models()).toEqual([]);
    place?.release();
    turn(10_000);
    expect(models()).toEqual(['m']);
    expect(concurrency.getCount('m')).toBe(1);
    await settle();
    expect(concurrency.getCount('m')).toBe(0);
  });
});

describe('a health check', () => {
  it('has ten seconds in total, also to connect', () => {
    const { sent } = openChecks(createModel('m'));
    turn(6_000);
    const limitMs = 10_000;
    const limits = { connectMs: limitMs, firstByteMs: limitMs, idleMs: limitMs, totalMs: limitMs };
    expect(sent.map(({ timeouts }) => timeouts)).toEqual([limits]);
  });

  it('closes breakers if it is answered, and keeps them open if it fails', async () => {
    const { breakers, settle } = openChecks(createModel('m'));
    fail(breakers, 'route_m');
    turn(6_000);
    await settle(503);
    expect(breakers.reports()).toMatchObject([{ state: 'open', retryInMs: 5_000 }]);
    turn(9_000);
    await settle();
    expect(breakers.isResting('route_m')).toBe(false);
  });

  it('costs what the provider reports', async () => {
    const { stored, checks, settle } = openChecks(createModel('m'));
    turn(6_000);
    await settle(200, {
      ...ANSWER,
      usage: { prompt_tokens: 1_000_000, completion_tokens: 1, cost: 0.000_3 },
    });
    await checks.close();
    expect(stored).toMatchObject([{ model: 'm', checks: 1, inputTokens: 1_000_000, costNanoUsd: 300_000n }]);
  });

  it('that has just been answered is counted when the api closes', async () => {
    const { stored, checks, answer } = openChecks(createModel('m'));
    turn(6_000);
    answer();
    await checks.close();
    expect(stored).toMatchObject([{ checks: 1, failures: 0 }]);
  });

  it('is ended when the api stops, and is the last one', async () => {
    const { stored, checks, sent, settle } = openChecks(createModel('m'));
    turn(6_000);
    checks.stop();
    expect(sent.map(({ isAborted }) => isAborted)).toEqual([true]);
    await settle();
    turn(100_000);
    await checks.close();
    expect(sent).toHaveLength(1);
    // The provider may bill it.
    expect(stored).toMatchObject([{ checks: 1, failures: 0, lastCheckedAtMs: 0, inputTokens: 16 }]);
  });

  it('that has ended is not ended again', async () => {
    const { checks, sent, settle } = openChecks(createModel('m'));
    turn(6_000);
    await settle();
    await checks.close();
    expect(sent.map(({ isAborted }) => isAborted)).toEqual([false]);
  });

  it('is not read further than a response of a few words', async () => {
    const { checks, sent, stored } = openChecks(createModel('m'));
    turn(6_000);
    sent[0]?.listener.onStart(200, () => null);
    for (let piece = 0; piece < 5; piece += 1) sent[0]?.listener.onData(Buffer.alloc(64 * 1024));
    expect(sent[0]?.isAborted).toBe(true);
    await checks.close();
    expect(stored).toMatchObject([{ failures: 1, lastError: 'unreadable' }]);
  });
});
