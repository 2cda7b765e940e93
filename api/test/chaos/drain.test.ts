import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sumUsage } from '@tollgate/db/queries/usage/usage';
import { afterAll, expect, it } from 'vitest';
import { createHarness, MODEL } from '../gateway-fixture.ts';
import { spawnApi } from '@tollgate/testing/spawn-api';

const harness = await createHarness();
const dataDir = mkdtempSync(path.join(tmpdir(), 'drain-'));
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true });
});

it('on SIGTERM the api finishes streams in flight, refuses new requests, records them and exits with 0', async () => {
  const api = await spawnApi({ databaseUrl: harness.database.url, dataDir });
  const { keyId, secret } = await harness.createKey();
  harness.provider.always({ answer: { words: 40 }, intervalMs: 20 });
  const ask = (dialect: 'chat/completions' | 'messages') =>
    fetch(`${api.baseUrl}/${dialect}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
      body: JSON.stringify({
        model: MODEL,
        max_tokens: 100,
        messages: [{ role: 'user', content: 'Hi' }],
        stream: true,
      }),
    });
  const [chat, message] = await Promise.all([ask('chat/completions'), ask('messages')]);
  const exited = api.terminate();
  await sleep(100);
  const late = await ask('messages');
  expect([late.status, late.headers.get('connection')]).toEqual([503, 'close']);
  expect(await late.json()).toMatchObject({ error: { type: 'api_error' } });
  const ready = await fetch(new URL('/readyz', api.baseUrl));
  expect([ready.status, await ready.json()]).toEqual([503, expect.objectContaining({ status: 'draining' })]);
  expect(await chat.text()).toMatch(/word40.*data: \[DONE\]\n\n$/s);
  expect(await message.text()).toMatch(/word40.*event: message_stop\n/s);
  expect(await exited).toBe(0);
  const used = await sumUsage(harness.database.db, { accountId: null, keyId, since: null });
  expect(used).toMatchObject({ requests: 2, errors: 0, outputTokens: 80 });
});

it('after SIGTERM the api serves requests for a while, and is not ready meanwhile', async () => {
  const api = await spawnApi({ databaseUrl: harness.database.url, dataDir, drainDelayMs: 1_500 });
  const { secret } = await harness.createKey();
  harness.provider.reset();
  const exited = api.terminate();
  const readyUrl = new URL('/readyz', api.baseUrl);
  await expect.poll(async () => (await fetch(readyUrl)).status).toBe(503);
  const served = await fetch(`${api.baseUrl}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify({ model: MODEL, max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }),
  });
  expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
  await served.text();
  expect(await exited).toBe(0);
});
