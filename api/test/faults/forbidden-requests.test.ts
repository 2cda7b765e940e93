import { afterAll, beforeEach, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { SECRET, startSealedProvider } from './sealed-provider.ts';

const { api, provider, secret, sql, close } = await startSealedProvider();
afterAll(close);
beforeEach(() => provider.reset());

const PROMPT = 'Describe how my neighbour Ada Lovelace hides her savings';

async function ask(status: number, error: object, path = '/chat/completions') {
  const body = JSON.stringify({ error });
  provider.next({ replay: { status, body, contentType: 'application/json' } });
  const request = { model: 'openai', max_tokens: 100, messages: [{ role: 'user', content: PROMPT }] };
  const response = await post(`${api.baseUrl}${path}`, request, { secret });
  const answer = await readJson<ErrorBody>(response);
  const id = response.headers.get('x-request-id') ?? '';
  const read = () =>
    sql<{ code: string; attempts: { message?: string }[] }[]>`
      SELECT error_code AS code, attempts FROM requests WHERE id = ${id} AND state = 'settled'`;
  await expect.poll(read).toHaveLength(1);
  const [row] = await read();
  return {
    status: response.status,
    retry: response.headers.get('x-should-retry'),
    message: answer.error.message,
    code: row?.code,
    stored: row?.attempts.at(-1)?.message ?? null,
  };
}

it.each(['/chat/completions', '/messages'])(
  'relays a 403 about the content of a request at %s, and stores none of its text',
  async (path) => {
    const message = `Your prompt '${PROMPT}' was flagged by our content policy (key ${SECRET}).`;
    const answer = await ask(403, { message, type: 'permission_error', code: 'permission_denied' }, path);
    expect(answer).toEqual({
      status: 403,
      retry: 'false',
      message: message.replace(SECRET, '[redacted]'),
      code: 'upstream_rejected',
      stored: null,
    });
  },
);

it('relays a 403 of unknown cause that repeats the request', async () => {
  const answer = await ask(403, { message: `Cannot answer: ${PROMPT}` });
  expect(answer).toMatchObject({ status: 403, code: 'upstream_rejected', stored: null });
});

it('keeps the sentence of a 403 about the account of the operator', async () => {
  const message = 'This project does not have access to model `openai`.';
  const answer = await ask(403, { message, type: 'invalid_request_error', code: 'model_not_found' });
  expect(answer).toMatchObject({ status: 502, code: 'upstream_misconfigured', stored: message });
});

it('keeps no sentence of a 403 whose cause is unknown', async () => {
  const answer = await ask(403, { message: 'Request not allowed' });
  expect(answer).toMatchObject({ status: 502, code: 'upstream_misconfigured', stored: null });
  expect(answer.message).not.toContain('not allowed');
});

it.each([
  [401, `Invalid API key for the request: ${PROMPT}`],
  [401, `Invalid API key for {\\"content\\":\\"${PROMPT.toUpperCase()}\\"}`],
  [402, "Insufficient balance for 'Ada Lovelace'"],
  [400, `Your credit balance is too low to answer ${PROMPT}`],
])('keeps no sentence of a %i that repeats the request: %s', async (status, message) => {
  const answer = await ask(status, { message });
  expect(answer).toMatchObject({ status: 502, code: 'upstream_misconfigured', stored: null });
});

it('keeps a route in use whose provider rejects requests of an account because of their content', async () => {
  for (let count = 0; count < 8; count++)
    await ask(403, { message: 'Your prompt was flagged by our content policy.' });
  expect(api.deps.upstreams.breakers.reports()).toEqual([]);
});
