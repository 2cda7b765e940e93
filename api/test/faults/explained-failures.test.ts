import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { ORGANIZATION, SECRET, startSealedProvider } from './sealed-provider.ts';

const { api, provider, spare, secret, sql, close } = await startSealedProvider();
afterAll(close);
beforeEach(() => {
  provider.reset();
  spare.reset();
});

const PROMPT = 'Describe how my neighbour Ada Lovelace hides her savings';
const MESSAGES = [{ role: 'user', content: PROMPT }];

interface Stored {
  model: string | null;
  code: string | null;
  message: string | null;
  param: string | null;
  attempts: Record<string, unknown>[] | null;
}

const fail = (status: number, error: object) => ({
  replay: { status, body: JSON.stringify({ error }), contentType: 'application/json' },
});

async function getRow(response: Response): Promise<Stored> {
  await response.text();
  const id = response.headers.get('x-request-id') ?? '';
  const read = () => sql<Stored[]>`
    SELECT model, error_code AS code, error_message AS message, error_param AS param, attempts
    FROM requests WHERE id = ${id} AND state = 'settled'`;
  await expect.poll(read).toHaveLength(1);
  const [row] = await read();
  if (row === undefined) throw new Error('the request was not recorded');
  return row;
}

async function ask(model: string, more: object = {}) {
  return getRow(
    await post(`${api.baseUrl}/chat/completions`, { model, messages: MESSAGES, ...more }, { secret }),
  );
}

it('stores the model that an invalid request names, and the error that its caller got', async () => {
  const row = await ask('openai', { max_tokens: 'many' });
  expect(row).toMatchObject({
    model: 'openai',
    code: 'invalid_request',
    param: 'max_tokens',
    attempts: null,
  });
  expect(row.message).toContain('max_tokens');
});

it('stores the model of a body that is not JSON', async () => {
  const response = await fetch(`${api.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: '{"model":"openai","messages":[{"role":"us',
  });
  expect(await getRow(response)).toMatchObject({ model: 'openai', code: 'invalid_json' });
});

it('bounds the message and the parameter', async () => {
  const row = await ask(`no-such-model-${'x'.repeat(3_000)}`, { max_tokens: 5 });
  expect(row).toMatchObject({ code: 'model_not_found', param: 'model' });
  expect(row.model).toHaveLength(200);
  expect(row.message?.length).toBeLessThanOrEqual(500);
});

it('stores nothing of an answered request', async () => {
  expect(await ask('openai')).toMatchObject({ code: null, message: null, param: null, attempts: null });
});

it('stores what a provider says about a request that it rejects, redacted', async () => {
  const message = `Unsupported value for temperature (key ${SECRET}, account ${ORGANIZATION}).`;
  provider.next(
    fail(400, { message, type: 'invalid_request_error', param: 'temperature', code: 'unsupported_value' }),
  );
  const row = await ask('openai');
  expect(row).toMatchObject({ code: 'upstream_rejected', param: 'temperature' });
  expect(row.message).toContain('Unsupported value for temperature');
  expect(row.attempts).toEqual([
    expect.objectContaining({
      outcome: 'status_400',
      status: 400,
      errorType: 'unsupported_value',
      errorMessage: row.message,
      next: 'none',
      why: 'request_refused',
    }),
  ]);
  expect(JSON.stringify(row)).not.toMatch(new RegExp(`${SECRET}|${ORGANIZATION}`));
});

it('logs a failed request as it is settled, and no answered one', async () => {
  const warn = vi.spyOn(api.deps.log, 'warn');
  const listLines = () =>
    warn.mock.calls.filter(([, text]) => text === 'a request failed').map(([line]) => line);
  await ask('openai');
  expect(listLines()).toEqual([]);
  provider.next(fail(400, { message: 'Unsupported value.', type: 'invalid_request_error' }));
  await ask('openai');
  expect(listLines()).toMatchObject([{ code: 'upstream_rejected', status: 400, model: 'openai' }]);
  warn.mockRestore();
});

it('stores nothing of a message that repeats the request', async () => {
  provider.next(fail(400, { message: `Cannot answer: ${PROMPT}`, type: 'invalid_request_error' }));
  const row = await ask('openai');
  expect(row).toMatchObject({ code: 'upstream_rejected', message: null });
  expect(JSON.stringify(row)).not.toContain('Lovelace');
  provider.next(
    fail(400, { message: `The text "${PROMPT}" is not allowed here.`, type: 'invalid_request_error' }),
  );
  expect((await ask('openai')).message).toMatch(/^The text\s+is not allowed here\.$/);
});

it('stores what a failed provider said, and what the gateway did, for a request that another one answers', async () => {
  provider.next(
    fail(503, { message: 'The engine is restarting.', type: 'server_error', code: 'engine_restart' }),
  );
  const { attempts, message } = await ask('both');
  expect(message).toBeNull();
  expect(attempts).toMatchObject([
    {
      outcome: 'status_503',
      status: 503,
      errorType: 'engine_restart',
      errorMessage: 'The engine is restarting.',
      next: 'other_route',
    },
    { outcome: 'answered' },
  ]);
  expect(attempts?.[1]).not.toHaveProperty('next');
});

it('stores nothing of what a provider says about a request that is too large to be searched', async () => {
  provider.next(fail(400, { message: 'Invalid prompt: my salary', type: 'my salary and more' }));
  const messages = [{ role: 'user', content: `my salary ${'x '.repeat(150_000)}` }];
  const row = await ask('openai', { messages });
  expect(row).toMatchObject({ code: 'upstream_rejected', message: null });
  expect(JSON.stringify(row)).not.toContain('salary');
});

it('stores nothing of a compressed error', async () => {
  const headers = { 'content-encoding': 'gzip' };
  provider.next({
    replay: { status: 503, body: '\u001f\u008b compressed', contentType: 'text/plain', headers },
  });
  const { attempts } = await ask('both');
  expect(attempts?.[0]).toMatchObject({ outcome: 'status_503', next: 'other_route' });
  expect(attempts?.[0]).not.toHaveProperty('detail');
});

it('stores why no further attempt was made', async () => {
  provider.always(fail(503, { message: 'The engine is restarting.' }));
  spare.always(fail(500, { message: 'Out of memory.', type: 'server_error' }));
  const row = await ask('both');
  expect(row).toMatchObject({ code: 'upstream_error', message: 'Out of memory.' });
  expect(row.attempts).toMatchObject([
    { errorMessage: 'The engine is restarting.', next: 'other_route' },
    { outcome: 'status_500', errorMessage: 'Out of memory.', next: 'none', why: 'max_attempts' },
  ]);
});

it('shows a page of HTML and the address of a failed connection only to operators', async () => {
  const page = '<html><head><title>502</title></head><body>bad gateway at <b>lb-7</b></body></html>';
  provider.next({ replay: { status: 502, body: page, contentType: 'text/html' } });
  spare.next({ cutBeforeHeaders: true, cutBy: 'reset' });
  const { attempts } = await ask('both');
  expect(attempts?.[0]).toMatchObject({ status: 502, detail: '502 bad gateway at lb-7' });
  expect(attempts?.[1]).toMatchObject({
    outcome: expect.stringMatching(/^(?:cut|stale)$/),
    detail: expect.any(String),
  });
  for (const attempt of attempts ?? []) expect(attempt).not.toHaveProperty('errorMessage');
});

it('keeps a sentence about the account of the operator apart, also if another provider answers', async () => {
  provider.next(fail(401, { message: 'This credential has expired.', type: 'authentication_error' }));
  const { attempts } = await ask('both');
  expect(attempts?.[0]).toMatchObject({
    status: 401,
    message: 'This credential has expired.',
    next: 'other_route',
  });
  expect(attempts?.[0]).not.toHaveProperty('errorMessage');
});

it('stores an error that a provider sends with status 200', async () => {
  const event = { error: { message: 'Capacity is exhausted.', type: 'overloaded_error' } };
  const body = `data: ${JSON.stringify(event)}\n\n`;
  provider.always({ replay: { status: 200, body, contentType: 'text/event-stream' } });
  const row = await ask('openai', { stream: true });
  expect(row).toMatchObject({ code: 'upstream_overloaded', message: 'Capacity is exhausted.' });
  expect(row.attempts?.at(-1)).toMatchObject({ errorMessage: 'Capacity is exhausted.', next: 'none' });
});
