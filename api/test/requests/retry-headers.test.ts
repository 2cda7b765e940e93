import { mintApiKey } from '@tollgate/auth/api-key';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { MODEL, startGateway, type Gateway } from '../gateway-fixture.ts';

const messages = [{ role: 'user', content: 'Hello there' }];

/** The status of a response and its retry headers. */
function getHeaders({ status, headers }: Response) {
  const get = (name: string) => headers.get(name);
  return { status, retry: get('x-should-retry'), seconds: get('retry-after'), ms: get('retry-after-ms') };
}
const permanent = (status: number) => ({ status, retry: 'false', seconds: null, ms: null });

describe.each(['/chat/completions', '/messages', '/responses'])('an error at %s', (path) => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ models: [MODEL, 'other'] });
  });
  beforeEach(() => gateway.provider.reset());
  afterAll(() => gateway[Symbol.asyncDispose]());

  const ask = async (secret: string | null, body: object = {}) => {
    const limit = path === '/responses' ? { max_output_tokens: 16 } : { max_tokens: 16 };
    const input = path === '/responses' ? { input: 'Hello there' } : { messages };
    const whole = { model: MODEL, ...limit, ...input, ...body };
    const response = await post(gateway.baseUrl + path, whole, { secret });
    const text = await response.text();
    return { ...getHeaders(response), text };
  };

  it('says that a retry cannot help if the key, the model, the request or the funds must change', async () => {
    const { secret: limited } = await gateway.createKey({ allowedModels: ['other'] });
    const { secret: poor } = await gateway.createKey({ maxBudgetUsd: '0.000001' });
    const { secret: small } = await gateway.createKey({ tpm: 10 });
    const refusals = [
      [await ask(null), 401],
      [await ask('sk-mistyped'), 401],
      [await ask(mintApiKey().key), 401],
      [await ask(limited), 403],
      [await ask(poor), 402],
      [await ask(small), 400],
      [await ask(gateway.secret, { model: 'unknown' }), 404],
      [await ask(gateway.secret, { stream: 'yes' }), 400],
    ] as const;
    for (const [{ text, ...headers }, status] of refusals) {
      expect({ ...headers, text }).toEqual({ ...permanent(status), text });
      if (status !== 400) expect(text).toContain('Tollgate');
    }
    expect(gateway.provider.requests).toHaveLength(0);
  });

  it('says when a retry can pass if only a minute must pass', async () => {
    const { secret } = await gateway.createKey({ rpm: 1 });
    expect((await ask(secret)).status).toBe(200);
    const { text, ...headers } = await ask(secret);
    expect(headers).toMatchObject({ status: 429, retry: null });
    expect(Number(headers.ms)).toBeGreaterThan(50_000);
    expect(Number(headers.seconds)).toBe(Math.ceil(Number(headers.ms) / 1_000));
    expect(text).toContain('This Tollgate API key has reached its limit of 1 requests per minute');
  });

  it('names the limit that is used up, what is left of it, and what the request may need', async () => {
    const { secret } = await gateway.createKey({ tpm: 60 });
    expect((await ask(secret)).status).toBe(200);
    let refused = await ask(secret);
    for (let turn = 0; turn < 10 && refused.status === 200; turn += 1) refused = await ask(secret);
    expect(refused).toMatchObject({ status: 429, retry: null });
    expect(refused.text).toMatch(
      /This Tollgate API key has a limit of 60 tokens per minute \(TPM\): \d+ are left, and this request may need \d+\. Try again in \d+ s\./,
    );
  });

  it("adds what the status of a provider's error implies", async () => {
    gateway.provider.always({ error: { status: 529 } });
    const overloaded = await ask(gateway.secret);
    expect(overloaded).toMatchObject({ retry: null, seconds: '1', ms: '1000' });
    gateway.provider.reset();
    gateway.provider.next({ error: { status: 400 } });
    const { text: _, ...invalid } = await ask(gateway.secret);
    expect(invalid).toEqual(permanent(400));
    gateway.provider.next({ error: { status: 401 } });
    const { text: reason, ...misconfigured } = await ask(gateway.secret);
    expect(misconfigured).toEqual(permanent(502));
    expect(reason).toContain("rejected Tollgate's credentials");
  });
});
