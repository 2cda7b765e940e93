import { randomBytes } from 'node:crypto';
import { createSealer } from '@tollgate/auth/seal';
import { openBody } from '@tollgate/auth/seal-body';
import { KEPT_BODY_BYTES } from '@tollgate/core/requests/kept-bodies';
import { deleteStale } from '@tollgate/db/queries/retention/delete-stale';
import { keepStored, stopKeepingStored } from '@tollgate/db/queries/retention/retention-setting';
import { findBodies } from '@tollgate/db/queries/bodies/find-bodies';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, type Harness } from '../gateway-fixture.ts';

const QUESTION = 'May a heron walk at noon? ✓';
const messages = [{ role: 'user', content: QUESTION }];
/** The last of them is translated: the provider does not support it. */
const ENDPOINTS = [
  { path: '/chat/completions', asks: { messages } },
  { path: '/messages', asks: { messages, max_tokens: 100 } },
  { path: '/responses', asks: { input: QUESTION } },
];

describe.each(['node', 'web'] as const)('request logging on the %s runtime', (runtime) => {
  const encryptionKey = randomBytes(32).toString('base64');
  const sealer = createSealer(encryptionKey);
  let harness: Harness;
  let api: TestApi;
  /** This account logs requests from the start. */
  let keeper: { accountId: string; secret: string };
  beforeAll(async () => {
    harness = await createHarness();
    api = await startTestApi({ db: harness.database.db, runtime, encryptionKey });
    keeper = await createAccount();
    await turnOn(keeper);
  });
  beforeEach(() => harness.provider.reset());
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });

  async function createAccount() {
    const { accountId } = await createAccountFixture(harness.database.db);
    const { secret } = await createKeyFixture(harness.database.db, accountId);
    return { accountId, secret };
  }

  const turnOn = ({ accountId }: { accountId: string }) =>
    keepStored(harness.database.db, 'bodies', {
      accountId,
      actorUserId: 'user_1',
      retentionDays: 7,
      now: new Date(),
    });

  const ask = (body: object | string, options: { path?: string; secret?: string } = {}) =>
    post(api.baseUrl + (options.path ?? '/chat/completions'), body, {
      secret: options.secret ?? keeper.secret,
    });
  const find = (requestId: string, accountId = keeper.accountId) =>
    findBodies(harness.database.db, { accountId, requestId, now: new Date() });
  const getId = (response: Response) => response.headers.get('x-request-id') ?? '';

  /** Waits until the payloads are stored, and decrypts them. */
  async function getLogged(requestId: string) {
    await expect.poll(() => find(requestId), { timeout: 5_000 }).not.toBeNull();
    const bodies = await find(requestId);
    if (bodies === null) throw new Error('The payloads were deleted');
    const place = { accountId: keeper.accountId, requestId };
    const { request, answer } = bodies;
    return {
      request: await openBody(sealer, request.sealed, { ...place, side: 'request' }),
      answer: answer === null ? null : await openBody(sealer, answer.sealed, { ...place, side: 'answer' }),
      bodies,
    };
  }

  describe.each(ENDPOINTS)('$path', ({ path, asks }) => {
    it.each([false, true])('logs request and response, stream: %s', async (stream) => {
      const body = JSON.stringify({ model: MODEL, ...asks, stream }, null, 1);
      const response = await ask(body, { path });
      const text = await response.text();
      expect(response.status).toBe(200);
      const kept = await getLogged(getId(response));
      expect(kept).toMatchObject({ request: body, answer: text });
      expect(kept.bodies.request).toMatchObject({ bytes: Buffer.byteLength(body), isTruncated: false });
    });
  });

  it('logs refusals of the gateway and of a provider', async () => {
    const unknown = await ask({ model: 'no-such-model', messages });
    expect(await getLogged(getId(unknown))).toMatchObject({ answer: await unknown.text() });
    const broken = await ask('{"model": ');
    expect(await getLogged(getId(broken))).toMatchObject({
      request: '{"model": ',
      answer: await broken.text(),
    });
    harness.provider.next({ error: { status: 400 } });
    const rejected = await ask({ model: MODEL, messages });
    expect(rejected.status).toBe(400);
    expect(await getLogged(getId(rejected))).toMatchObject({ answer: await rejected.text() });
  });

  it('logs what was sent to a caller that disconnected', async () => {
    harness.provider.next({ answer: { words: 500 }, intervalMs: 20 });
    const leaving = new AbortController();
    const response = await fetch(`${api.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keeper.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, messages, stream: true }),
      signal: leaving.signal,
    });
    const first = await response.body?.getReader().read();
    leaving.abort();
    const { answer } = await getLogged(getId(response));
    expect(answer).toContain(Buffer.from(first?.value ?? []).toString());
    expect(answer).not.toContain('[DONE]');
  });

  it('keeps 256 KiB of a body, and marks it as cut', async () => {
    const body = JSON.stringify({
      model: MODEL,
      messages: [{ role: 'user', content: 'x'.repeat(300_000) }],
      stream: true,
    });
    harness.provider.next({ answer: { words: 3_000 }, split: 'burst' });
    const response = await ask(body);
    const text = await response.text();
    expect(text.length).toBeGreaterThan(KEPT_BODY_BYTES);
    const { request, answer, bodies } = await getLogged(getId(response));
    expect(request).toBe(body.slice(0, KEPT_BODY_BYTES));
    expect(answer).toBe(text.slice(0, KEPT_BODY_BYTES));
    expect(bodies).toMatchObject({
      request: { bytes: body.length, isTruncated: true },
      answer: { bytes: text.length, isTruncated: true },
    });
  });

  it('keeps 256 KiB of a large response that is not a stream', async () => {
    harness.provider.next({ answer: { words: 100_000 } });
    const response = await ask({ model: MODEL, messages });
    const text = await response.text();
    expect(text.length).toBeGreaterThan(KEPT_BODY_BYTES);
    const { answer, bodies } = await getLogged(getId(response));
    expect(answer).toBe(text.slice(0, KEPT_BODY_BYTES));
    expect(bodies).toMatchObject({ answer: { bytes: text.length, isTruncated: true } });
  });

  it('stores no payload in the database that could be read without the key', async () => {
    const response = await ask({ model: MODEL, messages });
    await response.text();
    const requestId = getId(response);
    const { bodies } = await getLogged(requestId);
    const [row] = await harness.database.db.sql<{ text: string }[]>`
      SELECT request_bodies::text AS text FROM request_bodies WHERE request_id = ${requestId}`;
    const stored = [
      Buffer.from(row?.text ?? ''),
      bodies.request.sealed,
      bodies.answer?.sealed ?? Buffer.of(),
    ];
    expect(stored[0]?.includes(requestId)).toBe(true);
    for (const bytes of stored)
      for (const word of ['heron', 'model', keeper.secret]) expect(bytes.includes(word)).toBe(false);
  });

  it('starts and stops with the next request, on a replica that knows the key', async () => {
    const account = await createAccount();
    const { secret, accountId } = account;
    const count = async () => {
      const [row] = await harness.database.db.sql<{ rows: bigint }[]>`
        SELECT count(*) AS rows FROM request_bodies WHERE account_id = ${accountId}`;
      return Number(row?.rows);
    };
    const call = async () => {
      const response = await ask({ model: MODEL, messages }, { secret });
      await response.text();
      return getId(response);
    };
    // Long enough for notifications to arrive and payloads to be stored.
    const settle = () => new Promise((resolve) => setTimeout(resolve, 600));
    await call();
    await settle();
    expect(await count()).toBe(0);
    await turnOn(account);
    await settle();
    const requestId = await call();
    await expect.poll(() => find(requestId, accountId), { timeout: 5_000 }).not.toBeNull();
    expect(await count()).toBe(1);
    await stopKeepingStored(harness.database.db, 'bodies', { accountId, actorUserId: 'user_1' });
    await deleteStale(harness.database.db, 'bodies', { accountId, now: new Date() });
    await call();
    await settle();
    expect(await count()).toBe(0);
  });

  it('stores queued payloads before it stops', async () => {
    const second = await startTestApi({ db: harness.database.db, runtime, encryptionKey });
    const response = await post(
      `${second.baseUrl}/chat/completions`,
      { model: MODEL, messages },
      { secret: keeper.secret },
    );
    await response.text();
    await second.close();
    expect(await find(getId(response))).not.toBeNull();
  });
});
