import { formatUsd, NO_USAGE, parseUsd } from '@tollgate/core/money/money';
import { isWellFormedApiKey, mintApiKey } from '@tollgate/auth/api-key';
import { readRequest } from '@tollgate/testing/read-request';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { get, post, readJson, type ErrorBody } from '../testing/call-api.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';
import { createHarness, MODEL, type Harness } from '../../test/gateway-fixture.ts';

const ENDPOINTS = [
  { dialect: 'openai-chat', path: '/chat/completions', extra: {} },
  { dialect: 'anthropic-messages', path: '/messages', extra: { max_tokens: 100 } },
] as const;
const messages = [{ role: 'user', content: 'Hello' }];

describe.each(['node', 'web'] as const)('on the %s runtime', (runtime) => {
  let harness: Harness;
  let api: TestApi;
  beforeAll(async () => {
    harness = await createHarness();
    api = await startTestApi({ db: harness.database.db, runtime });
  });
  beforeEach(() => harness.provider.reset());
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });

  const recorded = async (requestId: string | null) => {
    await api.deps.ledger.flush();
    return readRequest(harness.database.db, requestId);
  };

  describe.each(ENDPOINTS)('$path', ({ dialect, path, extra }) => {
    const call = (body: object, options: Parameters<typeof post>[2] = {}) =>
      post(
        api.baseUrl + path,
        { model: MODEL, messages, ...extra, ...body },
        { secret: harness.secret, ...options },
      );
    const getError = async (response: Response) => {
      const body = await readJson<ErrorBody>(response);
      return {
        status: response.status,
        type: body.error.type,
        message: body.error.message,
        param: body.error.param,
      };
    };

    it('relays request and response bytes unchanged, and adds cost and id to the response', async () => {
      const body = `{ "model":"${MODEL}",  "messages":[{"role":"user","content":"\\u00e9"}], "max_tokens": 100, "temperature": 1e0, "x": 12345678901234567890 }`;
      const response = await post(api.baseUrl + path, body, { secret: harness.secret });
      expect(response.status).toBe(200);
      expect(harness.provider.requests[0]?.body.toString()).toBe(body);
      await response.text();
      const requestId = response.headers.get('x-request-id');
      expect(requestId).toMatch(/^req_[0-9a-z]{26}$/);
      expect(response.headers.get('request-id')).toBe(dialect === 'openai-chat' ? null : requestId);
      expect(Number(response.headers.get('x-tollgate-cost'))).toBeGreaterThan(0);
      const row = await recorded(requestId);
      const usage = harness.provider.requests[0]?.usage;
      expect(row).toMatchObject({
        status: 200,
        model: MODEL,
        streamed: false,
        estimated: false,
        errorCode: null,
        ...usage,
      });
      expect(row?.costNanoUsd).toBe(
        BigInt(Math.round(Number(response.headers.get('x-tollgate-cost')) * 1e9)),
      );
    });

    it('records a stream with its tokens, its cost and the time to first byte', async () => {
      const response = await call({ stream: true });
      expect(response.headers.get('content-type')).toContain('text/event-stream');
      await response.text();
      const row = await recorded(response.headers.get('x-request-id'));
      expect(row).toMatchObject({
        status: 200,
        streamed: true,
        estimated: false,
        ...harness.provider.requests[0]?.usage,
      });
      expect(row?.firstByteMs).toBeGreaterThanOrEqual(row?.queueMs ?? Infinity);
      // The web's fetch does not report it.
      expect(row?.connectMs).toEqual(runtime === 'node' ? expect.any(Number) : null);
      expect(row?.costNanoUsd).toBeGreaterThan(0n);
    });

    it('refuses a request without a key, with a mistyped key and with an unknown key', async () => {
      const typo = `${harness.secret.slice(0, -1)}${harness.secret.endsWith('0') ? '1' : '0'}`;
      const unknown = mintApiKey().key;
      expect(isWellFormedApiKey(typo)).toBe(false);
      for (const secret of [null, 'nonsense', typo, unknown]) {
        const error = await getError(await call({}, { secret }));
        expect(error).toMatchObject({ status: 401, type: 'authentication_error' });
        expect(error.message).toMatch(/^Authentication Error/);
      }
      expect(harness.provider.requests).toHaveLength(0);
    });

    it('accepts the key from x-api-key too', async () => {
      expect((await call({}, { secret: null, headers: { 'x-api-key': harness.secret } })).status).toBe(200);
    });

    it("refuses a model outside the key's list with 403, and an unknown model with 404", async () => {
      const { secret } = await harness.createKey({ allowedModels: [MODEL] });
      const foreign = await getError(await call({ model: 'another' }, { secret }));
      expect(foreign).toMatchObject({ status: 403, type: 'permission_error' });
      expect(foreign.message).toMatch(/^key not allowed to access model/);
      expect((await call({}, { secret })).status).toBe(200);
      const unknown = await getError(await call({ model: 'another' }));
      expect(unknown.status).toBe(404);
      expect(unknown.type).toBe(dialect === 'openai-chat' ? 'invalid_request_error' : 'not_found_error');
    });

    it.each([
      ['invalid JSON', '{', 400],
      ['a list', '[]', 400],
      ['no model', { model: undefined }, 400],
      ['a model that is not a string', { model: 7 }, 400],
      ['no messages', { messages: [] }, 400],
      ['a message that is not an object', { messages: ['hi'] }, 400],
      ['a stream that is not a boolean', { stream: 'yes' }, 400],
      ['a limit of 1.5 tokens', { max_tokens: 1.5 }, 400],
      ['a limit of 0 tokens', { max_tokens: 0 }, 400],
    ])('refuses %s with %s', async (_, body, status) => {
      const response =
        typeof body === 'string'
          ? await post(api.baseUrl + path, body, { secret: harness.secret })
          : await call(body);
      expect(await getError(response)).toMatchObject({ status, type: 'invalid_request_error' });
      expect(harness.provider.requests).toHaveLength(0);
    });

    it('reads a body that starts with a byte order mark or has a replacement character', async () => {
      const body = { model: MODEL, messages: [{ role: 'user', content: '\ufffd' }], ...extra };
      const response = await post(api.baseUrl + path, `\ufeff${JSON.stringify(body)}`, {
        secret: harness.secret,
      });
      expect(response.status).toBe(200);
      // The gateway ignores it, and must not send it: some providers reject it.
      expect(harness.provider.requests[0]?.body[0]).toBe(0x7b);
    });

    it('refuses invalid UTF-8, other content types and bodies over 32 MiB', async () => {
      const options = { method: 'POST', headers: { authorization: `Bearer ${harness.secret}` } };
      const invalid = await fetch(api.baseUrl + path, {
        ...options,
        body: new Uint8Array([0x7b, 0xff, 0x7d]),
      });
      expect(invalid.status).toBe(400);
      const form = await call({}, { headers: { 'content-type': 'application/x-www-form-urlencoded' } });
      expect(form.status).toBe(415);
      const large = await post(api.baseUrl + path, `"${'x'.repeat(33 * 1024 * 1024)}"`, {
        secret: harness.secret,
      }).catch((error: unknown) => error);
      // A caller that is still sending may see its connection end before it reads the answer.
      expect(large instanceof Response ? large.status : 413).toBe(413);
    });

    it('refuses an expired key and the keys of a suspended account', async () => {
      const { secret } = await harness.createKey({ expiresAt: new Date(Date.now() + 1_500).toISOString() });
      expect((await call({}, { secret })).status).toBe(200);
      await expect.poll(async () => (await call({}, { secret })).status, { timeout: 15_000 }).toBe(401);
      const { sql } = harness.database.db;
      await sql`UPDATE accounts SET suspended_at = now() WHERE id = ${harness.accountId}`;
      await expect.poll(async () => (await call({})).status, { timeout: 15_000 }).toBe(403);
      await sql`UPDATE accounts SET suspended_at = NULL WHERE id = ${harness.accountId}`;
      await expect.poll(async () => (await call({})).status, { timeout: 15_000 }).toBe(200);
    });

    it('refuses requests over RPM with 429, with the retry time and the remaining limits', async () => {
      const { secret } = await harness.createKey({ rpm: 2 });
      const first = await call({}, { secret });
      const prefix =
        dialect === 'openai-chat'
          ? 'x-ratelimit-remaining-requests'
          : 'anthropic-ratelimit-requests-remaining';
      expect(first.headers.get(prefix)).toBe('1');
      expect((await call({}, { secret })).status).toBe(200);
      const refused = await call({}, { secret });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
      expect(await getError(refused)).toMatchObject({ status: 429, type: 'rate_limit_error' });
      expect(harness.provider.requests).toHaveLength(2);
    });

    it('holds tokens, refuses more than is left with 429, and more than TPM with 400', async () => {
      const { secret } = await harness.createKey({ tpm: 1_000 });
      const ask = (bytes: number) =>
        call({ messages: [{ role: 'user', content: 'x'.repeat(bytes) }], max_tokens: 10 }, { secret });
      const usage = { ...NO_USAGE, inputTokens: 100, outputTokens: 5 };
      harness.provider.next({ headersDelayMs: 200, answer: { usage } });
      const first = ask(2_400);
      await expect.poll(() => harness.provider.requests.length).toBe(1);
      const refused = await ask(2_400);
      expect(refused.headers.get('retry-after')).toBe('60');
      expect(await getError(refused)).toMatchObject({ status: 429, type: 'rate_limit_error' });
      expect((await first).status).toBe(200);
      // Unused held tokens are released.
      expect((await ask(2_400)).status).toBe(200);
      const never = await ask(8_000);
      expect(await getError(never)).toMatchObject({ status: 400, type: 'invalid_request_error' });
    });

    it('refuses with 402 a request that the budget cannot pay, before the provider is called', async () => {
      const { secret, keyId } = await harness.createKey({ maxBudgetUsd: '0.01' });
      const answered = await call({}, { secret });
      expect(answered.status).toBe(200);
      expect(harness.provider.requests).toHaveLength(1);
      const refused = await call({ max_tokens: 1_000_000 }, { secret });
      expect(await getError(refused)).toMatchObject({ status: 402, type: 'billing_error' });
      expect(harness.provider.requests).toHaveLength(1);
      expect(await recorded(refused.headers.get('x-request-id'))).toMatchObject({
        keyId,
        status: 402,
        errorCode: 'budget_exceeded',
        costNanoUsd: 0n,
      });
      const own = await readJson<{ spent_usd: string; remaining_usd: string }>(
        get(`${api.baseUrl}/key`, { secret }),
      );
      expect(own.spent_usd).toBe(answered.headers.get('x-tollgate-cost'));
      const spent = parseUsd(own.spent_usd) ?? 0n;
      expect(spent).toBeGreaterThan(0n);
      expect(own.remaining_usd).toBe(formatUsd(10_000_000n - spent));
    });

    it("relays the provider's refusal, and hides a refusal of the gateway's own credential", async () => {
      harness.provider.next({ error: { status: 429, retryAfterSeconds: 7 } });
      const limited = await call({});
      expect(limited.status).toBe(429);
      expect(limited.headers.get('retry-after')).toBe('7');
      harness.provider.next({ error: { status: 401 } });
      const misconfigured = await call({});
      expect((await getError(misconfigured)).status).toBe(502);
      expect(await recorded(misconfigured.headers.get('x-request-id'))).toMatchObject({
        errorCode: 'upstream_misconfigured',
        costNanoUsd: 0n,
      });
    });

    it.each([
      ['breaks off before it responds', { cutBeforeHeaders: true } as const],
      ['breaks off within a whole response', { cutAfterBytes: 20 }],
      ['answers with garbage', { garbage: 500 }],
    ])('answers 502 if the provider %s', async (_, script) => {
      harness.provider.next(script);
      expect((await getError(await call({}))).status).toBe(502);
    });

    it('cancels the provider call immediately when the caller disconnects, and bills what was relayed', async () => {
      harness.provider.next({ answer: { words: 500 }, intervalMs: 20 });
      const leaving = new AbortController();
      const response = await fetch(api.baseUrl + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${harness.secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: MODEL, messages, ...extra, stream: true }),
        signal: leaving.signal,
      });
      const reader = response.body?.getReader();
      await reader?.read();
      await reader?.read();
      leaving.abort();
      await expect.poll(() => harness.provider.requests[0]?.outcome, { timeout: 1_000 }).toBe('aborted');
      await expect
        .poll(() => recorded(response.headers.get('x-request-id')))
        .toMatchObject({ status: 499, errorCode: 'client_gone', estimated: true });
      const row = await recorded(response.headers.get('x-request-id'));
      expect(row?.outputTokens).toBeGreaterThan(0);
      expect(row?.costNanoUsd).toBeGreaterThan(0n);
    });
  });

  it("answers in the caller's dialect if the only route uses the other one", async () => {
    const { sql } = harness.database.db;
    await sql`INSERT INTO models (id) VALUES ('chat-only')`;
    await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
      VALUES ('chat-only', 1, 1, now() - interval '1 minute')`;
    await sql`INSERT INTO routes (id, model_id, provider_id)
      SELECT 'route_x', 'chat-only', id FROM providers WHERE dialect = 'openai-chat'`;
    const body = { model: 'chat-only', messages, max_tokens: 5 };
    const call = (path: string) => post(api.baseUrl + path, body, { secret: harness.secret });
    await expect.poll(async () => (await call('/chat/completions')).status, { timeout: 2_000 }).toBe(200);
    const answered = await call('/messages');
    expect(answered.status).toBe(200);
    expect(await readJson(answered)).toMatchObject({
      type: 'message',
      model: 'chat-only',
      role: 'assistant',
    });
    expect(harness.provider.requests.at(-1)?.path).toBe('/v1/chat/completions');
    await sql`DELETE FROM routes WHERE id = 'route_x'`;
    await expect.poll(async () => (await call('/messages')).status, { timeout: 2_000 }).toBe(404);
    const refused = await call('/messages');
    expect((await readJson<ErrorBody>(refused)).error.message).toContain('has no route to a provider');
  });
});
