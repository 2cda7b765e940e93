import { Buffer } from 'node:buffer';
import { NO_QUIRKS } from '@tollgate/dialects/openai-chat/quirks/provider-quirks';
import { expect, it } from 'vitest';
import { BodyWorkers } from './body-workers.ts';

it('fails a job for which no thread can be started, and goes on when one can', async () => {
  let isPossible = false;
  const workers = new BodyWorkers({
    threads: 1,
    timeLimitMs: 60_000,
    maxHeapMib: 64,
    // Read when a thread is started: it fails as on a machine without room for one.
    get program() {
      if (isPossible) return new URL('body-worker.ts', import.meta.url);
      throw new Error('no more threads');
    },
  });
  const body = () => new TextEncoder().encode('{}');
  const run = () =>
    workers.run(() => ({ kind: 'state', body: body() }), { bytes: 2, owner: 'a', isWanted: () => true });
  const failed = await Promise.allSettled([run(), run(), run()]);
  expect(failed.map((each) => (each.status === 'rejected' ? each.reason : null))).toMatchObject(
    Array.from({ length: 3 }, () => ({ name: 'BodyJobFailed', failure: 'unstarted' })),
  );
  isPossible = true;
  expect(await run()).toMatchObject({ state: { ok: true } });
  await workers.close();
});

it.each([
  ['one list', `[${'{},'.repeat(10_000_000)}{}]`],
  ['names', `[{${Array.from({ length: 1_500_000 }, (_, at) => `"name${at}":1`).join(',')}}]`],
])(
  'refuses a job that needs more heap for %s than its thread has, and the process goes on',
  async (_name, text) => {
    const workers = new BodyWorkers({ threads: 1, timeLimitMs: 60_000, maxHeapMib: 256 });
    const run = (json: string) => {
      const job = { kind: 'remove', partId: 'p', itemId: 'i', body: new TextEncoder().encode(json) } as const;
      return workers.run(() => job, { bytes: json.length, owner: 'a', isWanted: () => true });
    };
    await expect(run(text)).rejects.toMatchObject({ name: 'BodyJobFailed', failure: 'limit' });
    expect(await run(`[${'{},'.repeat(100_000)}{}]`)).toMatchObject({ isFound: false });
    await workers.close();
  },
  60_000,
);

it('refuses a job that needs more heap for what it writes than its thread has', async () => {
  const workers = new BodyWorkers({ threads: 1, timeLimitMs: 60_000, maxHeapMib: 256 });
  // Each character is written as six, and one that needs two bytes makes all of them as wide.
  const text = Buffer.alloc(23_000_000, 1);
  text.write('中');
  const file = { filename: 'a.txt', file_data: `data:text/plain;base64,${text.toString('base64')}` };
  const body = { model: 'm', messages: [{ role: 'user', content: [{ type: 'file', file }] }] };
  const target = {
    dialect: 'anthropic-messages',
    upstreamModel: 'm',
    quirks: NO_QUIRKS,
    isKnown: true,
    isAnthropic: true,
    defaultMaxTokens: 9,
    caller: null,
  } as const;
  const run = (json: string) => {
    const bytes = new TextEncoder().encode(json);
    const job = { kind: 'translate', from: 'openai-chat', targets: [target], body: bytes } as const;
    return workers.run(() => job, { bytes: bytes.length, owner: 'a', isWanted: () => true });
  };
  await expect(run(JSON.stringify(body))).rejects.toMatchObject({ failure: 'limit' });
  const small = { model: 'm', messages: [{ role: 'user', content: 'word '.repeat(100_000) }] };
  expect(await run(JSON.stringify(small))).toMatchObject({ prepared: { ok: true } });
  await workers.close();
}, 60_000);
