/** Large bodies are parsed in a thread, with the same result as small ones. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, type Harness } from '../gateway-fixture.ts';

const MIB = 1024 * 1024;

let harness: Harness;
let api: TestApi;
beforeAll(async () => {
  harness = await createHarness([MODEL, 'other']);
  api = await startTestApi({ db: harness.database.db, runtime: 'node' });
});
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

const chat = (body: unknown, secret = harness.secret) =>
  post(`${api.baseUrl}/chat/completions`, body, { secret });
const withContent = (content: unknown) => ({
  model: MODEL,
  max_tokens: 5,
  messages: [{ role: 'user', content }],
});

describe('a large body', () => {
  it('reaches the provider unchanged', async () => {
    const content = 'Prose, “quotes” and \u{1f600}. '.repeat(60_000);
    const response = await chat(withContent(content));
    expect(response.status).toBe(200);
    const sent = harness.provider.requests.at(-1)?.body.toString() ?? '';
    expect(sent.includes(JSON.stringify(content))).toBe(true);
  });

  it('is checked like a small one', async () => {
    const { secret } = await harness.createKey({ allowedModels: ['other'] });
    const filler = 'x'.repeat(MIB);
    const cases: [string, number, string][] = [
      [JSON.stringify({ ...withContent(filler), model: 'none' }), 403, 'model_not_allowed'],
      [`{"model":"other","messages":[],"x":"${filler}"}`, 400, 'messages'],
      [`{"model":"other","x":"${filler}"`, 400, 'invalid_json'],
      [`{"model":"other","Model":"none","x":"${filler}"}`, 400, 'invalid_request'],
    ];
    for (const [body, status, said] of cases) {
      const response = await chat(body, secret);
      expect([response.status, (await response.text()).includes(said)]).toEqual([status, true]);
    }
  });

  it('frees its memory after the response', async () => {
    await chat(withContent('x'.repeat(4 * MIB)));
    await expect.poll(() => api.deps.bodyBudget.usedBytes).toBe(0);
  });
});
