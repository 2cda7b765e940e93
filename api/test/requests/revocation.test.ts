import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { revokeKey } from '@tollgate/db/queries/keys/keys';
import { afterAll, expect, it } from 'vitest';
import { createHarness, MODEL } from '../gateway-fixture.ts';
import { spawnApi, type ApiProcess } from '@tollgate/testing/spawn-api';

const TRIALS = Number(process.env.REVOCATION_TRIALS ?? 10);
const LIMIT_MS = 1_000;
const GIVE_UP_MS = 5_000;

const harness = await createHarness();
const dataDir = mkdtempSync(path.join(tmpdir(), 'two-apis-'));
const processes = await Promise.all(
  ['0', '1'].map((name) =>
    spawnApi({ databaseUrl: harness.database.url, dataDir: path.join(dataDir, name), disconnectDrainMs: 0 }),
  ),
);
afterAll(async () => {
  for (const api of processes) await api.terminate();
  await harness[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true });
});

it(
  `a revoked key is refused within a second on two processes, streams in flight included (${TRIALS} trials)`,
  { timeout: 30_000 + TRIALS * 3_000 },
  async () => {
    // A stream of ten seconds: only the revocation can end it earlier.
    harness.provider.always({ answer: { words: 500 }, intervalMs: 20 });
    const refusalMs: number[] = [];
    const streamMs: number[] = [];
    for (let trial = 0; trial < TRIALS; trial++) {
      const { keyId, secret } = await harness.createKey();
      // Both dialects on both processes, all in flight, so that each process has cached the key.
      const streams = await Promise.all(
        processes.flatMap((api) => [openStream(api, secret, 'openai'), openStream(api, secret, 'anthropic')]),
      );
      const startMs = performance.now();
      const refused = Promise.all(processes.map((api) => untilRefused(api, secret)));
      const ended = Promise.all(streams.map((stream) => stream.untilError()));
      await revokeKey(harness.database.db, { keyId, accountId: null, actorUserId: null });
      for (const atMs of await refused) refusalMs.push(atMs - startMs);
      for (const atMs of await ended) streamMs.push(atMs - startMs);
    }
    const worst = { refusal: Math.max(...refusalMs), stream: Math.max(...streamMs) };
    process.stdout.write(
      `Revocation on two processes, ${TRIALS} trials: 401 after at most ${worst.refusal.toFixed(0)} ms ` +
        `(median ${computeMedian(refusalMs).toFixed(0)}), streams cut after at most ${worst.stream.toFixed(0)} ms ` +
        `(median ${computeMedian(streamMs).toFixed(0)})\n`,
    );
    expect(worst.refusal).toBeLessThan(LIMIT_MS);
    expect(worst.stream).toBeLessThan(LIMIT_MS);
    // Without a drain, the provider call was also cancelled immediately.
    await Promise.all(harness.provider.requests.map((record) => record.finished));
    expect(harness.provider.requests.map((record) => record.outcome)).toEqual(
      Array.from({ length: TRIALS * 4 }, () => 'aborted'),
    );
  },
);

/** @returns when the first 401 arrived */
async function untilRefused(api: ApiProcess, secret: string): Promise<number> {
  const deadlineMs = performance.now() + GIVE_UP_MS;
  while (performance.now() < deadlineMs) {
    const response = await fetch(`${api.baseUrl}/key`, { headers: { authorization: `Bearer ${secret}` } });
    const body: unknown = await response.json();
    if (response.status === 401) {
      expect(body).toMatchObject({ error: { code: 'revoked_api_key' } });
      return performance.now();
    }
    expect(response.status).toBe(200);
    await sleep(2);
  }
  throw new Error('The revoked key was never refused');
}

/** Starts a stream and reads its first chunk. */
async function openStream(api: ApiProcess, secret: string, endpoint: 'openai' | 'anthropic') {
  const response = await fetch(`${api.baseUrl}${endpoint === 'openai' ? '/chat/completions' : '/messages'}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify({
      model: MODEL,
      max_tokens: 1_000,
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
    }),
  });
  expect(response.status).toBe(200);
  const reader = response.body?.getReader();
  let text = Buffer.from((await reader?.read())?.value ?? []).toString();
  return {
    /** @returns when the error event arrived; the stream must end with it */
    async untilError(): Promise<number> {
      let seenAtMs: number | null = null;
      for (;;) {
        const next = await reader?.read();
        if (next === undefined || next.done) break;
        text += Buffer.from(next.value).toString();
        if (text.includes('"error"')) seenAtMs ??= performance.now();
      }
      expect(text).not.toMatch(/\[DONE\]|message_stop/);
      expect(text.split('\n\n').at(-2)).toMatch(/"error":\{.*authentication_error/);
      return seenAtMs ?? Infinity;
    },
  };
}

function computeMedian(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
