import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { revokeKey } from '@tollgate/db/queries/keys/keys';
import OpenAI from 'openai';
import { afterAll, expect, it } from 'vitest';
import { createHarness, MODEL } from '../gateway-fixture.ts';
import { createHalfOpenProxy } from '../faults/half-open-proxy.ts';
import { spawnApi } from '@tollgate/testing/spawn-api';

/** A second to notice the lost connection, a second of cache age, and a margin for a busy machine. */
const LIMIT_MS = 3_000;
const STOP_LIMIT_MS = 12_000;

const harness = await createHarness();
const proxy = await createHalfOpenProxy(harness.database.url);
const dataDir = mkdtempSync(path.join(tmpdir(), 'lost-listener-'));
const api = await spawnApi({ databaseUrl: proxy.url, dataDir, drainTimeoutMs: 1_000 });
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await api.terminate();
  await harness[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true });
});

it('a replica with a lost LISTEN connection still refuses a revoked key and cuts its streams', async () => {
  const { keyId, secret } = await harness.createKey();
  const client = new OpenAI({ baseURL: api.baseUrl, apiKey: secret, maxRetries: 0 });
  // The stream lasts twenty seconds.
  harness.provider.always({ answer: { words: 1_000 }, intervalMs: 20 });
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  const stream = await client.chat.completions.create({ model: MODEL, messages, stream: true });
  const cut = Array.fromAsync(stream).then(
    () => 'whole',
    () => performance.now(),
  );
  proxy.silenceListeners();
  const startMs = performance.now();
  await revokeKey(harness.database.db, { keyId, accountId: null, actorUserId: null });
  while (await isAccepted(client)) {
    if (performance.now() - startMs > LIMIT_MS) break;
    await sleep(20);
  }
  expect(performance.now() - startMs).toBeLessThan(LIMIT_MS);
  const cutAtMs = await Promise.race([cut, sleep(LIMIT_MS, 'still streaming')]);
  expect(cutAtMs).toBeTypeOf('number');
  expect(Number(cutAtMs) - startMs).toBeLessThan(LIMIT_MS);
});

it('a replica with a lost LISTEN connection still stops', { timeout: 20_000 }, async () => {
  const stopped = await Promise.race([api.terminate(), sleep(STOP_LIMIT_MS, 'still running')]);
  expect(stopped).toBe(0);
});

async function isAccepted(client: OpenAI): Promise<boolean> {
  try {
    await client.models.list();
    return true;
  } catch (error) {
    if (error instanceof OpenAI.AuthenticationError) return false;
    throw error;
  }
}
