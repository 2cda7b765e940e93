import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import { NO_USAGE } from '@tollgate/core/money/money';
import { afterAll, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { createHarness, MODEL, PRICES } from '../gateway-fixture.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';

const harness = await createHarness();
const api = await startTestApi({ db: harness.database.db, runtime: 'node', attempts: 1 });
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

const usage = { prompt_tokens: 2_000, completion_tokens: 9_000 };
const whole = JSON.stringify({
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage,
});
const chunk = { object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'Hi' } }], usage };

it.each([
  [true, { body: whole, contentType: 'application/json' }],
  [false, { body: `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, contentType: 'text/event-stream' }],
])(
  'the unbilled cost of a response of the wrong kind is its reported usage (stream: %s)',
  async (stream, replay) => {
    harness.provider.next({ replay });
    const messages = [{ role: 'user', content: 'Hi' }];
    const response = await post(
      `${api.baseUrl}/chat/completions`,
      { model: MODEL, messages, stream },
      { secret: harness.secret },
    );
    expect(response.status).toBe(502);
    const id = response.headers.get('x-request-id') ?? '';
    const rows = () =>
      harness.database.db.sql<{ cost: bigint; unbilled: bigint }[]>`
      SELECT cost_nano_usd AS cost, operator_cost_nano_usd AS unbilled FROM requests WHERE id = ${id}`;
    await expect.poll(async () => (await rows()).length).toBe(1);
    const unbilled = computeCost({ ...NO_USAGE, inputTokens: 2_000, outputTokens: 9_000 }, PRICES);
    expect(await rows()).toEqual([{ cost: 0n, unbilled }]);
  },
);

it.each(['/chat/completions', '/messages'])(
  'a JSON error in place of a stream keeps its message: %s',
  async (path) => {
    const error = { message: 'model crashed', type: 'server_error' };
    harness.provider.next({ replay: { body: JSON.stringify({ error }), contentType: 'application/json' } });
    const body = { model: MODEL, max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }], stream: true };
    const response = await post(api.baseUrl + path, body, { secret: harness.secret });
    expect(response.status).toBe(502);
    expect(await response.text()).toContain('model crashed');
  },
);

it('a JSON error of 900 KB in place of a stream keeps its message', async () => {
  const error = { message: 'model crashed', type: 'server_error', trace: 'x'.repeat(900_000) };
  harness.provider.next({ replay: { body: JSON.stringify({ error }), contentType: 'application/json' } });
  const body = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }], stream: true };
  const response = await post(`${api.baseUrl}/chat/completions`, body, { secret: harness.secret });
  expect(await response.text()).toContain('model crashed');
});
