import { MAX_ACCOUNT_RUNS } from '../../src/background/background-runs.ts';
import { checkResponse } from '@tollgate/testing/conformance/check-response';
import { checkShape } from '@tollgate/testing/conformance/check-shape';
import OpenAI from 'openai';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createKeyFixture } from '@tollgate/testing/factories';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { NATIVE } from '../native-provider.ts';
import { ENCRYPTION_KEY, startStoredHarness, TRANSLATED } from './stored-harness.ts';

const gateway = await startStoredHarness();
const { client, createClient, createAccount, harness, native, apis } = gateway;
const { sql } = harness.database.db;
afterAll(() => gateway[Symbol.asyncDispose]());
beforeEach(() => {
  harness.provider.reset();
  native.release();
  native.seen.length = 0;
  native.abandonedAtMs.length = 0;
});

/** Makes the provider of a model wait before it responds. */
function holdProvider(model: string): void {
  if (model === NATIVE) native.hold();
  else harness.provider.always({ headersDelayMs: 800 });
}

const start = (model: string, caller = client, body: object = {}) =>
  caller.responses.create({ model, input: 'Hello', background: true, ...body });

async function waitForEnd(id: string, caller = client): Promise<OpenAI.Responses.Response> {
  await expect
    .poll(async () => (await caller.responses.retrieve(id)).status, { timeout: 10_000, interval: 20 })
    .not.toMatch(/queued|in_progress/);
  return caller.responses.retrieve(id);
}

/** Checks against the type of the SDK, which adds a member. */
function listViolations(given: OpenAI.Responses.Response): string[] {
  const { output_text: _, ...response } = given;
  return checkShape('response', response);
}

describe.each([NATIVE, TRANSLATED])('a response of %s in the background', (model) => {
  it('is queued, in progress on every replica, and then complete, with the id that its caller has', async () => {
    const { secret } = await createAccount(7);
    holdProvider(model);
    const queued = await start(model, createClient(secret), { instructions: 'Be brief.' });
    expect(queued).toMatchObject({ status: 'queued', background: true, output: [], model });
    expect(listViolations(queued)).toEqual([]);
    for (const replica of [0, 1] as const) {
      const running = await createClient(secret, replica).responses.retrieve(queued.id);
      expect(running.status).toBe('in_progress');
      expect(listViolations(running)).toEqual([]);
    }
    native.release();
    const ended = await waitForEnd(queued.id, createClient(secret, 1));
    expect(ended).toMatchObject({ id: queued.id, status: 'completed', background: true });
    expect(ended.created_at).toBe(queued.created_at);
    expect(ended.output_text).not.toBe('');
    if (model === TRANSLATED) {
      const { output_text: _, ...whole } = ended;
      expect(checkResponse(whole)).toEqual([]);
    }
    const items = await createClient(secret).responses.inputItems.list(queued.id);
    expect(items.data).toHaveLength(1);
  });

  it('is billed like any other, and its provider learns nothing of it', async () => {
    const [background, foreground] = [await createAccount(7), await createAccount(7)];
    const { id } = await start(model, createClient(background.secret));
    await waitForEnd(id, createClient(background.secret));
    await createClient(foreground.secret).responses.create({ model, input: 'Hello' });
    const [sent, usual] = gateway.listSent(model).slice(-2);
    expect(sent).toEqual(usual);
    expect(Object.keys(sent ?? {})).not.toContain('background');
    const bill = { status: 200, held: '0', cost: model === NATIVE ? '30000' : '69000' };
    for (const { accountId } of [background, foreground])
      await expect.poll(() => readBills(accountId)).toMatchObject([bill]);
  });

  it('is continued once it has ended', async () => {
    holdProvider(model);
    const { id } = await start(model);
    const next = () => client.responses.create({ model, input: 'Go on', previous_response_id: id });
    await expect(next()).rejects.toMatchObject({ status: 400, param: 'previous_response_id' });
    native.release();
    await waitForEnd(id);
    expect((await next()).status).toBe('completed');
    expect(gateway.listSent(model)).toHaveLength(2);
  });
});

describe('a cancelled response', () => {
  it.each([0, 1] as const)(
    'stops its provider soon: within 100 ms on a quiet machine, from replica %i',
    async (replica) => {
      const { secret, accountId } = await createAccount(7);
      native.hold();
      const { id } = await start(NATIVE, createClient(secret));
      await expect.poll(() => native.seen.length).toBe(1);
      const caller = createClient(secret, replica);
      await caller.responses.retrieve(id);
      const readAtMs = performance.now();
      for (let reads = 0; reads < 5; reads += 1) await caller.responses.retrieve(id);
      const askedAtMs = performance.now();
      const cancelled = await caller.responses.cancel(id);
      expect(cancelled).toMatchObject({ id, status: 'cancelled', output: [] });
      await expect.poll(() => native.abandonedAtMs, { interval: 5 }).toHaveLength(1);
      // Reads go the same way to the database and back, and take longer on a busy machine too: 15 ms for five on a quiet one.
      const readsMs = askedAtMs - readAtMs;
      const tookMs = (native.abandonedAtMs[0] ?? Infinity) - askedAtMs;
      expect(tookMs, `five reads took ${readsMs} ms`).toBeLessThan(75 + 2 * readsMs);
      native.release();
      // Cancelling again changes nothing.
      expect(await createClient(secret).responses.cancel(id)).toMatchObject({ status: 'cancelled' });
      expect((await createClient(secret, 1).responses.retrieve(id)).status).toBe('cancelled');
      await expect.poll(() => readBills(accountId)).toMatchObject([{ status: 499, held: '0' }]);
      await expect.poll(() => apis[0].deps.stored.background.size).toBe(0);
    },
  );

  it('is left as it is if it had ended, and must have run in the background', async () => {
    const { id } = await start(NATIVE);
    const ended = await waitForEnd(id);
    const { output_text: _, ...whole } = ended;
    expect(await client.responses.cancel(id)).toEqual(whole);
    const foreground = await client.responses.create({ model: NATIVE, input: 'Hello' });
    await expect(client.responses.cancel(foreground.id)).rejects.toMatchObject({ status: 400 });
    const other = createClient((await createAccount(7)).secret);
    await expect(other.responses.cancel(id)).rejects.toMatchObject({ status: 404 });
  });

  it('is also what remains of a deleted one', async () => {
    native.hold();
    const { id } = await start(NATIVE);
    await expect.poll(() => native.seen.length).toBe(1);
    await client.responses.delete(id);
    await expect.poll(() => native.abandonedAtMs).toHaveLength(1);
    native.release();
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  });
});

describe('a response in the background that fails', () => {
  it('says why', async () => {
    const { id } = await start(NATIVE, client, {
      input: [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' }],
    });
    const ended = await waitForEnd(id);
    expect(ended).toMatchObject({ id, status: 'failed', error: { code: 'invalid_prompt' } });
    expect(ended.error?.message).toContain('without its required following item');
    expect(listViolations(ended)).toEqual([]);
  });

  it('is refused with an error, and not stored, if it cannot be paid', async () => {
    const { accountId } = await createAccount(7);
    const { secret } = await createKeyFixture(harness.database.db, accountId, { maxBudgetUsd: '0.000001' });
    const caller = createClient(secret);
    await expect(start(NATIVE, caller)).rejects.toMatchObject({ status: 402, code: 'budget_exceeded' });
    await expect(start('no-such-model', caller)).rejects.toMatchObject({ status: 404 });
    await expect.poll(() => countRows(accountId)).toBe(0);
    expect(native.seen).toHaveLength(0);
    await expect.poll(() => apis[0].deps.stored.background.size).toBe(0);
  });

  it('ends with the key that asked for it, and is billed by what its provider reports', async () => {
    const { accountId, secret } = await createAccount(7);
    const { secret: other } = await createKeyFixture(harness.database.db, accountId);
    native.hold();
    const { id } = await start(NATIVE, createClient(secret));
    await expect.poll(() => native.seen.length).toBe(1);
    await sql`UPDATE api_keys SET revoked_at = now() WHERE account_id = ${accountId}
      AND id = (SELECT id FROM api_keys WHERE account_id = ${accountId} ORDER BY created_at, id LIMIT 1)`;
    const ended = await waitForEnd(id, createClient(other));
    native.release();
    await expect.poll(() => readBills(accountId)).toMatchObject([{ estimated: false, held: '0' }]);
    expect(native.abandonedAtMs).toHaveLength(0);
    expect(ended).toMatchObject({ status: 'failed' });
    expect(ended.error?.message).toContain('revoked');
  });

  it('is one of a replica that stops', async () => {
    const { secret } = await createAccount(7);
    const api = await startTestApi({
      db: harness.database.db,
      runtime: 'node',
      encryptionKey: ENCRYPTION_KEY,
    });
    native.hold();
    const caller = new OpenAI({ baseURL: api.baseUrl, apiKey: secret, maxRetries: 0 });
    const { id } = await start(NATIVE, caller);
    await expect.poll(() => native.seen.length).toBe(1);
    await api.close();
    native.release();
    const ended = await createClient(secret).responses.retrieve(id);
    expect(ended).toMatchObject({ status: 'failed' });
    expect(ended.error?.message).toContain('shutting down');
  });
});

describe('requests for the background', () => {
  it('must be stored, and are not streamed', async () => {
    await expect(start(NATIVE, client, { store: false })).rejects.toMatchObject({
      status: 400,
      param: 'store',
    });
    await expect(start(NATIVE, client, { stream: true })).rejects.toMatchObject({
      status: 400,
      param: 'stream',
    });
    const invalid = start(NATIVE, client, { background: 'yes' });
    await expect(invalid).rejects.toMatchObject({ status: 400, param: 'background' });
    expect(await client.responses.create({ model: NATIVE, input: 'Hi', background: false })).toMatchObject({
      status: 'completed',
    });
  });

  it('are refused with what to do while the account stores nothing', async () => {
    const { secret } = await createAccount(null);
    const refused = start(NATIVE, createClient(secret));
    await expect(refused).rejects.toMatchObject({
      status: 400,
      code: 'unsupported_parameter',
      param: 'background',
      error: { message: expect.stringContaining('Team page') as unknown },
    });
  });

  it('can have large inputs, but no large settings', async () => {
    const { accountId, secret } = await createAccount(7);
    const text = 'word '.repeat(300_000);
    const caller = createClient(secret);
    const refused = start(NATIVE, caller, { instructions: text });
    await expect(refused).rejects.toMatchObject({ status: 413, code: 'request_too_large' });
    expect(await countRows(accountId)).toBe(0);
    const { id } = await start(NATIVE, caller, { input: text });
    expect(await waitForEnd(id, caller)).toMatchObject({ status: 'completed' });
  });

  it('are limited for each account', async () => {
    const [busy, other] = [await createAccount(7), await createAccount(7)];
    native.hold();
    const caller = createClient(busy.secret);
    const ids: string[] = [];
    for (let n = 0; n < MAX_ACCOUNT_RUNS; n += 1) ids.push((await start(NATIVE, caller)).id);
    await expect(start(NATIVE, caller)).rejects.toMatchObject({ status: 429, code: 'rate_limit_background' });
    await start(NATIVE, createClient(other.secret));
    await caller.responses.cancel(ids[0] ?? '');
    await start(NATIVE, caller);
    native.release();
    for (const id of ids.slice(1)) expect((await waitForEnd(id, caller)).status).toBe('completed');
  });
});

async function readBills(accountId: string) {
  const rows = await sql<{ status: number; cost: string; held: string; estimated: boolean }[]>`
    SELECT status, cost_nano_usd::text AS cost, held_nano_usd::text AS held, estimated, input_tokens, output_tokens
    FROM requests WHERE account_id = ${accountId} ORDER BY started_at`;
  return rows.map((row) => ({ ...row }));
}

async function countRows(accountId: string): Promise<number> {
  return (await sql`SELECT 1 FROM stored_responses WHERE account_id = ${accountId}`).length;
}
