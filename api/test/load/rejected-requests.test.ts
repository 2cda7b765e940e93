import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, type Harness } from '../gateway-fixture.ts';

const MIB = 1024 * 1024;
const valid = { model: MODEL, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 5 };

let harness: Harness;
let api: TestApi;
beforeAll(async () => {
  harness = await createHarness();
  api = await startTestApi({ db: harness.database.db, runtime: 'node' });
});
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

const chat = (secret: string, body: unknown, headers = {}) =>
  post(`${api.baseUrl}/chat/completions`, body, { secret, headers });

describe('a rejected request', () => {
  it.each<[string, unknown, Record<string, string>, number]>([
    ['outside the scope of its key', { ...valid, model: 'other' }, {}, 403],
    ['that is not JSON', '{', {}, 400],
    ['without messages', { model: MODEL }, {}, 400],
    ['with an invalid member', { ...valid, max_tokens: 'many' }, {}, 400],
    ['of another media type', valid, { 'content-encoding': 'gzip' }, 415],
  ])('%s counts as one request', async (_name, body, headers, status) => {
    const { secret } = await harness.createKey({ rpm: 3, allowedModels: [MODEL] });
    const rejected = await chat(secret, body, headers);
    expect(rejected.status).toBe(status);
    expect(rejected.headers.get('x-ratelimit-remaining-requests')).toBe('2');
    expect((await chat(secret, valid)).headers.get('x-ratelimit-remaining-requests')).toBe('1');
    expect((await chat(secret, body, headers)).status).toBe(status);
    const limited = await chat(secret, body, headers);
    expect([limited.status, (await limited.text()).includes('rate_limit_requests')]).toEqual([429, true]);
    expect((await chat(secret, valid)).status).toBe(429);
  });

  it.each<[string, unknown, number]>([
    ['for a model that does not exist', { ...valid, model: 'no-such-model' }, 404],
    ['with a body that is too large', 'x'.repeat(32 * MIB + 1), 413],
  ])('%s counts as one request', async (_name, body, status) => {
    const { secret } = await harness.createKey({ rpm: 3 });
    expect((await chat(secret, body)).status).toBe(status);
    expect((await chat(secret, valid)).headers.get('x-ratelimit-remaining-requests')).toBe('1');
  });

  it('that its budget cannot pay for counts as one request', async () => {
    const { secret } = await harness.createKey({ rpm: 2, maxBudgetUsd: '0.000000001' });
    const refused = await chat(secret, valid);
    expect([refused.status, refused.headers.get('x-ratelimit-remaining-requests')]).toEqual([402, '1']);
    expect((await chat(secret, valid)).status).toBe(402);
    expect((await chat(secret, valid)).status).toBe(429);
  });

  it('counts if it alone exceeds the tokens per minute', async () => {
    const { secret } = await harness.createKey({ rpm: 2, tpm: 50 });
    const long = { ...valid, messages: [{ role: 'user', content: 'word '.repeat(500) }] };
    const rejected = await chat(secret, long);
    expect([rejected.status, rejected.headers.get('x-ratelimit-remaining-requests')]).toEqual([400, '1']);
    expect((await chat(secret, long)).status).toBe(400);
    expect((await chat(secret, long)).status).toBe(429);
  });

  it('does not count again if the limit itself refuses it', async () => {
    const { secret } = await harness.createKey({ rpm: 1 });
    const first = Date.now();
    expect((await chat(secret, '{')).status).toBe(400);
    for (let count = 0; count < 5; count++) {
      const limited = await chat(secret, '{');
      expect(limited.status).toBe(429);
      const waitMs = Number(limited.headers.get('retry-after')) * 1_000;
      expect(waitMs).toBeLessThanOrEqual(60_000 - (Date.now() - first) + 2_000);
    }
  });

  it('of a revoked key does not count against its account', async () => {
    await harness.database.db.sql`INSERT INTO plans (id, rpm, price_ppm) VALUES ('two-a-minute', 2, 1000000)`;
    const { accountId } = await createAccountFixture(harness.database.db, { planId: 'two-a-minute' });
    const { key, secret } = await createKeyFixture(harness.database.db, accountId);
    const { secret: other } = await createKeyFixture(harness.database.db, accountId);
    await harness.database.db.sql`UPDATE api_keys SET revoked_at = now() WHERE id = ${key.id}`;
    await expect.poll(async () => (await chat(secret, valid)).status).toBe(401);
    for (let count = 0; count < 5; count++) expect((await chat(secret, valid)).status).toBe(401);
    expect((await chat(other, '{')).headers.get('x-ratelimit-remaining-requests')).toBe('1');
  });
});

describe('a large body', () => {
  it('is refused before it is read if the limit is used up, with the retry time', async () => {
    const { secret } = await harness.createKey({ rpm: 1 });
    expect((await chat(secret, '{')).status).toBe(400);
    const limited = await chat(secret, 'x'.repeat(8 * MIB));
    expect(limited.status).toBe(429);
    expect(limited.headers.get('connection')).toBe('close');
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(50);
  });
});

describe('token counts', () => {
  const count = (secret: string) => post(`${api.baseUrl}/messages/count_tokens`, valid, { secret });

  it('have the requests per minute of their key, in a separate window', async () => {
    const { secret } = await harness.createKey({ rpm: 2 });
    expect((await count(secret)).status).toBe(200);
    expect((await count(secret)).headers.get('anthropic-ratelimit-requests-remaining')).toBe('0');
    const limited = await count(secret);
    expect(limited.status).toBe(429);
    expect(await limited.text()).toContain('token counts');
    expect((await chat(secret, valid)).headers.get('x-ratelimit-remaining-requests')).toBe('1');
  });

  it('are limited for keys without a limit, too', async () => {
    const answer = await count(harness.secret);
    expect(answer.headers.get('anthropic-ratelimit-requests-limit')).toBe('600');
  });
});
