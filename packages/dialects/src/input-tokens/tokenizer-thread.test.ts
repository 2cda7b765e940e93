// oxlint-disable-next-line no-restricted-imports -- a thread that ends by itself where nothing keeps it
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { TokenizerThread, TokenizerUnavailable, type TokenizerThreadOptions } from './tokenizer-thread.ts';

const PROSE = 'The harbour was quiet that morning, and nobody asked what the ships had brought. ';
const COUNTER = new URL('count-text-tokens.ts', import.meta.url).href;

const open: TokenizerThread[] = [];
afterEach(() => Promise.all(open.splice(0).map((thread) => thread.close())));

function createThread(options: Partial<TokenizerThreadOptions> = {}): TokenizerThread {
  const thread = new TokenizerThread({ maxWaitingCharacters: 1_000_000, timeLimitMs: 30_000, ...options });
  open.push(thread);
  return thread;
}

describe('the thread of the tokenizer', () => {
  it('answers each of many counts with its own', async () => {
    const thread = createThread();
    const counts = await Promise.all(
      [1, 5, 0, 2].map((times) => thread.count(['hello world'.repeat(times)])),
    );
    expect(counts).toEqual([2, 10, 0, 4]);
  });

  it('lets its caller go on while it loads and counts', async () => {
    const thread = createThread();
    let longestMs = 0;
    let lastMs = performance.now();
    const ticker = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - lastMs);
      lastMs = performance.now();
    }, 1);
    const startMs = performance.now();
    await thread.count([PROSE.repeat(3_000)]);
    clearInterval(ticker);
    process.stdout.write(
      `the tokenizer loaded and counted 240 KB in ${Math.round(performance.now() - startMs)} ms, the longest turn of its caller ${Math.round(longestMs)} ms\n`,
    );
    // In the caller's own thread it takes 500 ms and more.
    expect(longestMs).toBeLessThan(250);
  });

  it('refuses what would wait too long, and nothing once that is done', async () => {
    const thread = createThread({ maxWaitingCharacters: 2_000 });
    const first = thread.count(['a'.repeat(1_000)]);
    await expect(thread.count(['b'.repeat(1_000)])).rejects.toBeInstanceOf(TokenizerUnavailable);
    const small = thread.count(['c']);
    expect(await first).toBeGreaterThan(0);
    expect(await small).toBe(1);
    expect(await thread.count(['b'.repeat(1_000)])).toBeGreaterThan(0);
  });

  it('bounds how many counts wait, however small they are', async () => {
    const thread = createThread({ maxWaitingCharacters: 2_000 });
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => thread.count(['a'])));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
  });

  it('gives up a count that takes too long, with those behind it where the thread is stuck', async () => {
    const thread = createThread({ timeLimitMs: 5 });
    const results = await Promise.allSettled([thread.count([PROSE]), thread.count([PROSE])]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('refuses what waits when it is closed, and starts anew for the next count', async () => {
    const thread = createThread();
    const waiting = thread.count([PROSE]);
    const closed = thread.close();
    await expect(waiting).rejects.toThrow('it was closed');
    await closed;
    expect(await thread.count(['hello world'])).toBe(2);
  });

  it('keeps alive for a count under way what it runs in, and no longer', async () => {
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
