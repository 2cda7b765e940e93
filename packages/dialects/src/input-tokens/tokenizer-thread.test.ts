// oxlint-disable-next-line no-restricted-imports -- a thread that ends when nothing keeps it alive
import { Worker } from 'node:worker_threads';
import { watchTurns } from '@tollgate/testing/longest-turn';
import { afterEach, describe, expect, it } from 'vitest';
import {
  TokenizerThread,
  TokenizerUnavailable,
  type CountFor,
  type TokenizerThreadOptions,
} from './tokenizer-thread.ts';

const PROSE = 'The harbour was quiet that morning, and no one asked what the ships had brought. ';
const COUNTER = new URL('count-text-tokens.ts', import.meta.url).href;

const ANY: CountFor = { owner: 'any', purpose: 'admission' };

const open: TokenizerThread[] = [];
afterEach(() => Promise.all(open.splice(0).map((thread) => thread.close())));

function createThread(options: Partial<TokenizerThreadOptions> = {}): TokenizerThread {
  const thread = new TokenizerThread({ maxWaitingCharacters: 1_000_000, timeLimitMs: 30_000, ...options });
  open.push(thread);
  return thread;
}

async function countAs(thread: TokenizerThread, owner: string, purpose: CountFor['purpose'], text: string) {
  const startedAtMs = performance.now();
  await thread.count([text], { owner, purpose });
  const endedAtMs = performance.now();
  return { endedAtMs, tookMs: endedAtMs - startedAtMs };
}

describe('the thread of the tokenizer', () => {
  it('answers each of many counts with its own', async () => {
    const thread = createThread();
    const counts = await Promise.all(
      [1, 5, 0, 2].map((times) => thread.count(['hello world'.repeat(times)], ANY)),
    );
    expect(counts).toEqual([2, 10, 0, 4]);
  });

  it('does not block its caller while it loads and counts', async () => {
    const thread = createThread();
    const turns = watchTurns();
    const startMs = performance.now();
    await thread.count([PROSE.repeat(3_000)], ANY);
    const longestMs = turns.stop();
    process.stdout.write(
      `the tokenizer loaded and counted 240 KB in ${Math.round(performance.now() - startMs)} ms, the longest turn of its caller ${Math.round(longestMs)} ms\n`,
    );
    // In the caller's own thread it takes 500 ms and more.
    expect(longestMs).toBeLessThan(250);
  });

  it('refuses counts beyond the waiting limit, and accepts them again later', async () => {
    const thread = createThread({ maxWaitingCharacters: 8_000 });
    const first = thread.count(['a'.repeat(1_000)], ANY);
    await expect(thread.count(['b'.repeat(1_000)], ANY)).rejects.toBeInstanceOf(TokenizerUnavailable);
    const small = thread.count(['c'], ANY);
    expect(await first).toBeGreaterThan(0);
    expect(await small).toBe(1);
    expect(await thread.count(['b'.repeat(1_000)], ANY)).toBeGreaterThan(0);
  });

  it('bounds the number of waiting counts, even if they are small', async () => {
    const thread = createThread({ maxWaitingCharacters: 8_000 });
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => thread.count(['a'], ANY)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
  });

  it('serves owners in turns: long texts of one delay the text of another by a turn or two', async () => {
    const thread = createThread({ maxWaitingCharacters: 32_000_000 });
    await thread.count(['loads the tokenizer'], ANY);
    const flood = Array.from({ length: 8 }, () => countAs(thread, 'flood', 'estimate', PROSE.repeat(12_000)));
    const other = await countAs(thread, 'other', 'estimate', PROSE);
    const first = await Promise.race(flood);
    expect(other.endedAtMs).toBeLessThan(first.endedAtMs);
    expect(other.tookMs).toBeLessThan(500);
    await thread.close();
    await Promise.allSettled(flood);
  });

  it('serves admissions before estimates, also those of the same owner', async () => {
    const thread = createThread({ maxWaitingCharacters: 32_000_000 });
    await thread.count(['loads the tokenizer'], ANY);
    const estimates = ['a', 'b', 'c'].map((owner) => countAs(thread, owner, 'estimate', PROSE.repeat(1_000)));
    const admission = await countAs(thread, 'a', 'admission', PROSE.repeat(1_000));
    for (const { endedAtMs } of await Promise.all(estimates))
      expect(admission.endedAtMs).toBeLessThan(endedAtMs);
  });

  it('counts a long text in turns nearly as it counts it in one piece', async () => {
    const thread = createThread();
    const text = PROSE.repeat(1_000);
    const perSentence = await thread.count([PROSE.repeat(10)], ANY);
    expect((await thread.count([text], ANY)) / (perSentence * 100)).toBeCloseTo(1, 1);
  });

  it('refuses an owner more than a quarter, and estimates more than three', async () => {
    const thread = createThread({ maxWaitingCharacters: 40_000 });
    const text = 'a'.repeat(9_000);
    const asked = ['a', 'a', 'b', 'c', 'd'].map((owner) =>
      thread.count([text], { owner, purpose: 'estimate' }),
    );
    const admission = thread.count([text], { owner: 'd', purpose: 'admission' });
    const results = await Promise.allSettled([...asked, admission]);
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([
      true,
      false,
      true,
      true,
      false,
      true,
    ]);
  });

  it('rejects a count that takes too long, and the counts behind it if the thread is stuck', async () => {
    const thread = createThread({ timeLimitMs: 5 });
    const results = await Promise.allSettled([thread.count([PROSE], ANY), thread.count([PROSE], ANY)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('rejects waiting counts when it is closed, and starts again for the next count', async () => {
    const thread = createThread();
    const waiting = thread.count([PROSE], ANY);
    const closed = thread.close();
    await expect(waiting).rejects.toThrow('it was closed');
    await closed;
    expect(await thread.count(['hello world'], ANY)).toBe(2);
  });

  it('keeps its process alive for a count in progress, and no longer', async () => {
    const script = `const { countTextTokens } = await import(${JSON.stringify(COUNTER)});
      const { parentPort } = await import('node:worker_threads');
      parentPort.postMessage(await countTextTokens(['hello world']));`;
    const host = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`));
    const said: unknown[] = [];
    host.on('message', (tokens) => said.push(tokens));
    const code = await new Promise((resolve) => host.on('exit', resolve));
    expect([code, said]).toEqual([0, [2]]);
  });
});
