import { Buffer } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dialect } from '@tollgate/core/models/dialect';
import { threadTimeMs } from '@tollgate/testing/thread-time';
import { afterAll, expect, it } from 'vitest';
import { BodyBudget } from '../request-body/body-budget.ts';
import { BodyWorkers } from '../request-body/worker/body-workers.ts';
import { embeddingsEndpoint } from '../routes/embeddings.ts';
import { LargeAnswers } from './large-answers.ts';
import { readWhole } from './read-whole.ts';
import { OVERSIZE_ANSWER } from './upstream-failure.ts';

const MIB = 1024 * 1024;
const open: LargeAnswers[] = [];
afterAll(() => Promise.all(open.map((answers) => answers.close())));

function openAnswers(options: Partial<ConstructorParameters<typeof BodyWorkers>[0]> = {}): LargeAnswers {
  const workers = new BodyWorkers({ threads: 1, timeLimitMs: 30_000, maxHeapMib: 512, ...options });
  const answers = new LargeAnswers(new BodyBudget(96 * MIB), workers);
  open.push(answers);
  return answers;
}

const answers = openAnswers();
const SOURCE = {
  endpoint: '/v1/embeddings',
  inputTokens: 5,
  estimatedInput: 5,
  redactors: [],
  translation: null,
} as const;
const getTurn = (owner: string, isWanted = () => true) => ({ owner, isWanted });

/** Blocks with separate memory, as the response collector creates them. */
function getBlocks(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / MIB) }, (_, at) => {
    const part = bytes.subarray(at * MIB, (at + 1) * MIB);
    const block = Buffer.allocUnsafeSlow(part.length);
    part.copy(block);
    return block;
  });
}

function embeddings(bytes: number): string {
  const vector = JSON.stringify(Array.from({ length: 512 }, (_, at) => Math.sin(at)));
  const entry = `{"object":"embedding","index":0,"embedding":${vector}}`;
  const data = Array.from({ length: Math.ceil(bytes / entry.length) }, () => entry).join(',');
  return `{"object":"list","model":"m","data":[${data}],"usage":{"prompt_tokens":7,"total_tokens":7}}`;
}

// Processor times of single runs, which other programs can disturb.
it(
  'a thread reads a large response with the same result, without blocking the event loop',
  { retry: 2 },
  async () => {
    const text = embeddings(24 * MIB);
    const options = {
      ...SOURCE,
      spec: embeddingsEndpoint,
      estimateInput: () => 5,
      redact: (each: string) => each,
    };
    const here = readWhole(Buffer.from(text), options);
    const hereMs = threadTimeMs(() => readWhole(Buffer.from(text), options));
    // Start the thread before the time is measured.
    await answers.read(getBlocks(embeddings(MIB)), SOURCE, getTurn('a'));
    const pieces = getBlocks(text);
    const state = { isOver: false };
    let worstMs = 0;
    const reading = answers.read(pieces, SOURCE, getTurn('a')).finally(() => (state.isOver = true));
    while (!state.isOver) {
      const before = process.threadCpuUsage();
      await sleep(1);
      const { user, system } = process.threadCpuUsage(before);
      worstMs = Math.max(worstMs, (user + system) / 1_000);
    }
    const read = await reading;
    if (!read.ok || !here.ok) throw new Error('It was not read');
    const { pieces: back, ...said } = read.value;
    expect({ ...said, text: null }).toEqual(here.value);
    expect(Buffer.concat(back).toString()).toBe(text);
    expect(worstMs).toBeLessThan(hereMs / 2);
  },
);

it('moves the bytes of a large response to the thread without a second copy', async () => {
  const pieces = getBlocks(embeddings(4 * MIB));
  const reading = answers.read(pieces, SOURCE, getTurn('a'));
  expect(pieces.every(({ length }) => length === 0)).toBe(true);
  await reading;
});

it('accounts take turns at reading large responses', async () => {
  const order: string[] = [];
  const read = async (owner: string) => {
    await answers.read(getBlocks(embeddings(MIB)), SOURCE, getTurn(owner));
    order.push(owner);
  };
  await Promise.all([read('greedy'), read('greedy'), read('greedy'), read('greedy'), read('other')]);
  expect(order.indexOf('other')).toBeLessThan(3);
});

it('skips a large response that is no longer wanted', async () => {
  const read = await answers.read(
    getBlocks(embeddings(MIB)),
    SOURCE,
    getTurn('a', () => false),
  );
  expect(read.ok).toBe(false);
});

it('refuses a large response that takes a thread too long', async () => {
  const slow = openAnswers({ timeLimitMs: 1 });
  expect(await slow.read(getBlocks(embeddings(8 * MIB)), SOURCE, getTurn('a'))).toMatchObject({
    ok: false,
    error: { code: 'gateway_overloaded' },
  });
});

it('does not parse a response that could need more memory than a thread has', async () => {
  const objects = `{"data":[${Array.from({ length: 2_000_000 }, () => '{}').join(',')}]}`;
  const small = openAnswers({ maxHeapMib: 256 });
  expect(await small.read(getBlocks(objects), SOURCE, getTurn('a'))).toEqual({
    ok: false,
    error: OVERSIZE_ANSWER,
  });
});

it('reports the error of a failed read', async () => {
  const from = 'no dialect' as Dialect;
  const translation = { from, stopSequences: [], requestId: 'r', model: 'm', nowSeconds: 0 };
  const reading = answers.read(getBlocks(embeddings(MIB)), { ...SOURCE, translation }, getTurn('a'));
  await expect(reading).rejects.toThrow('A large response was not read: TypeError');
});
