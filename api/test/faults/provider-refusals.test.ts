import { afterAll, describe, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { ORGANIZATION, SECRET, startSealedProvider } from './sealed-provider.ts';

const { api, provider, secret, sql, seal, close } = await startSealedProvider();
afterAll(close);

const echo = `Bad request of ${ORGANIZATION} with Authorization: Bearer ${SECRET} (organization org-Ab12Cd34Ef)`;
const BODIES = {
  'an OpenAI error': {
    error: { message: echo, type: 'invalid_request_error', headers: { authorization: SECRET } },
  },
  'an Anthropic error': {
    type: 'error',
    error: { type: 'invalid_request_error', message: echo },
    headers: SECRET,
  },
  'a Mistral error': { object: 'error', message: echo, type: 'bad', code: '1', headers: [SECRET] },
  'an xAI error': { code: echo, error: echo },
  'a Google error': [{ error: { code: 400, message: echo, status: 'INVALID_ARGUMENT' } }],
  'an error of names': {
    error: { message: 'x', type: SECRET, code: SECRET, param: SECRET, innererror: { a: [SECRET] } },
  },
};

it.each(
  Object.entries(BODIES).flatMap(([name, body]) =>
    (['openai', 'anthropic'] as const).flatMap((model) =>
      [400, 429, 500].map((status) => ({ name, body, model, status })),
    ),
  ),
)('$name with status $status from $model does not reveal the identity of the gateway', async (each) => {
  provider.reset();
  const body = Buffer.from(JSON.stringify(each.body));
  provider.always({ replay: { status: each.status, body, contentType: 'text/html' } });
  for (const path of ['/chat/completions', '/messages', '/responses']) {
    const response = await fetch(`${api.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: each.model,
        max_tokens: 64,
        ...(path === '/responses'
          ? { input: 'Hello', max_tokens: undefined }
          : { messages: [{ role: 'user', content: 'Hello' }] }),
      }),
    });
    const text = await response.text();
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(text)).toMatchObject({ error: { message: expect.any(String) } });
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(ORGANIZATION);
    expect(text).not.toContain('org-Ab12Cd34Ef');
  }
});

it.each(['openai', 'anthropic'] as const)(
  'redacts the identity of the gateway in an error inside a stream of %s',
  async (model) => {
    provider.reset();
    const words =
      model === 'openai'
        ? 'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"Hé"},"finish_reason":null}]}\n\n'
        : 'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\n\nevent: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\nevent: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hé"}}\n\n';
    const error = {
      type: 'error',
      error: { type: 'api_error', message: echo, headers: { 'x-api-key': SECRET } },
    };
    const event = `event: error\ndata: ${JSON.stringify(error)}\n\n`;
    provider.always({ replay: { body: Buffer.from(words + event), contentType: 'text/event-stream' } });
    for (const path of ['/chat/completions', '/messages']) {
      const response = await post(
        `${api.baseUrl}${path}`,
        { model, stream: true, max_tokens: 64, messages: [{ role: 'user', content: 'Hello' }] },
        { secret },
      );
      const text = await response.text();
      if (path === (model === 'openai' ? '/chat/completions' : '/messages')) expect(text).toContain('Hé');
      expect(text).toContain('[redacted]');
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain(ORGANIZATION);
    }
  },
);

it.each(['openai', 'anthropic'] as const)(
  'reveals no beginning of a credential where it cuts a long error of %s',
  async (model) => {
    const shown = new Set<string>();
    for (let before = 1_940; before <= 2_000; before += 4) {
      const message = 'word '.repeat(400).slice(0, before) + ` ${SECRET} is not accepted`;
      const type = 'invalid_request_error';
      provider.reset();
      provider.always({
        replay: {
          status: 400,
          body: Buffer.from(JSON.stringify({ type: 'error', error: { type, message } })),
          contentType: 'application/json',
        },
      });
      for (const path of ['/chat/completions', '/messages']) {
        const messages = [{ role: 'user', content: 'Hello' }];
        const response = await post(`${api.baseUrl}${path}`, { model, max_tokens: 64, messages }, { secret });
        shown.add(await response.text());
      }
    }
    expect([...shown].filter((text) => text.includes(SECRET.slice(0, 6)))).toEqual([]);
    expect([...shown].filter((text) => text.includes('word word'))).toHaveLength(shown.size);
  },
);

const call = (model: string) =>
  post(
    `${api.baseUrl}/chat/completions`,
    { model, messages: [{ role: 'user', content: 'Hello' }] },
    { secret },
  );

it.each([
  [
    'anthropic',
    { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 9 > 8' } },
  ],
  [
    'openai',
    { error: { message: 'Too long', type: 'invalid_request_error', code: 'context_length_exceeded' } },
  ],
])(
  'reports to callers of every dialect that the context length of %s is exceeded',
  async (model, refusal) => {
    provider.reset();
    const body = Buffer.from(JSON.stringify(refusal));
    provider.always({ replay: { status: 400, body, contentType: 'application/json' } });
    const errorAt = async (path: string, input: object) => {
      const response = await post(`${api.baseUrl}${path}`, { model, ...input }, { secret });
      expect(response.status).toBe(400);
      return (await readJson<ErrorBody>(response)).error;
    };
    const messages = [{ role: 'user', content: 'Hello' }];
    expect((await errorAt('/chat/completions', { messages })).code).toBe('context_length_exceeded');
    expect((await errorAt('/responses', { input: 'Hello' })).code).toBe('context_length_exceeded');
    const { message } = await errorAt('/messages', { messages, max_tokens: 64 });
    expect(message).toMatch(/^prompt is too long: /);
  },
);

describe('an error with a success status', () => {
  const start = 'data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n';
  const word = 'data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n';

  /** What callers of each dialect read of an error of the OpenAI provider. */
  async function readErrors(error: object, before: string | null): Promise<Record<string, string>> {
    provider.reset();
    const stream = before !== null;
    const json = JSON.stringify({ error });
    provider.always({ replay: { body: stream ? `${before}data: ${json}\n\n` : json } });
    const read = async (path: string, input: object) =>
      (await post(`${api.baseUrl}${path}`, { model: 'openai', stream, ...input }, { secret })).text();
    const messages = [{ role: 'user', content: 'Hello' }];
    return {
      chat: await read('/chat/completions', { messages }),
      responses: await read('/responses', { input: 'Hello' }),
      messages: await read('/messages', { messages, max_tokens: 64 }),
    };
  }

  describe.each([
    ['in a whole response', null],
    ['before the first word of a stream', start],
    ['inside a started stream', word],
  ])('%s', (_name, before) => {
    it.each(['context_length_exceeded', 'rate_limit_exceeded', 'content_filter'])(
      'keeps the code %s',
      async (code) => {
        const error = { message: 'Refused', type: 'invalid_request_error', code };
        const { chat, responses, messages } = await readErrors(error, before);
        expect(chat).toContain(`"code":"${code}"`);
        expect(responses).toContain(`"code":"${code}"`);
        const start = code === 'context_length_exceeded' ? 'prompt is too long: ' : '';
        expect(messages).toContain(`"message":"${start}Refused"`);
      },
    );

    it('redacts a code with a credential', async () => {
      const texts = await readErrors({ message: 'Refused', type: 'x', code: SECRET }, before);
      for (const text of Object.values(texts)) expect(text).not.toContain(SECRET);
      expect(texts['responses']).toContain('"code":"[redacted]"');
    });

    it.each([
      { message: 'Key ends with 1234', type: 'x', code: 'invalid_api_key' },
      { message: 'Your account is not active', type: 'invalid_request_error', code: 'billing_not_active' },
    ])('hides the code and the message of $code from callers in another dialect', async (error) => {
      const { responses, messages } = await readErrors(error, before);
      expect(responses).toContain('"code":"upstream_misconfigured"');
      for (const text of [responses, messages]) {
        expect(text).not.toContain(error.code);
        expect(text).not.toContain(error.message);
        expect(text).not.toMatch(/invalid_request_error|authentication_error/);
      }
    });
  });
});

it('writes a response again if an error in it has the message twice, the first with a credential', async () => {
  provider.reset();
  const choices = [{ index: 0, message: { role: 'assistant', content: SECRET }, finish_reason: 'stop' }];
  const json = JSON.stringify({ choices, note: { error: { message: 'x' } } });
  const body = json.replace('{"message":"x"}', `{"message":"bad key ${SECRET}","message":"x"}`);
  provider.always({ replay: { body, contentType: 'application/json' } });
  const response = await call('openai');
  expect(response.status).toBe(200);
  expect(await response.text()).toBe(json);
});

it('shows the readable text of a message that is JSON', async () => {
  provider.reset();
  const detail = [{ type: 'missing', loc: ['body', 'messages', 0, 'role'], msg: 'Field required' }];
  const body = Buffer.from(JSON.stringify({ object: 'error', message: JSON.stringify({ detail }) }));
  provider.always({ replay: { status: 422, body, contentType: 'application/json' } });
  const { error } = await readJson<ErrorBody>(call('openai'));
  expect(error.message).toBe('messages.0.role: Field required');
});

describe('if a credential is replaced while the provider responds', () => {
  const replacement = 'vx4-newer.provider.credential';
  const message = `Neither ${SECRET} nor ${replacement} may do this`;
  const setKey = async (apiKey: string) => {
    const sealed = seal('openai', apiKey);
    await sql`UPDATE providers SET credential_sealed = ${sealed} WHERE id = 'openai'`;
    await api.deps.catalogue.load();
  };

  /** The response to a request that is sent with the old credential. */
  async function callDuringChange(status: number, content: object): Promise<Response> {
    await setKey(SECRET);
    provider.reset();
    const body = JSON.stringify(content);
    provider.next({ replay: { status, body, contentType: 'application/json' }, headersDelayMs: 1_000 });
    const response = call('openai');
    await expect.poll(() => provider.requests.length).toBe(1);
    await setKey(replacement);
    return response;
  }

  it('both are redacted in an error', async () => {
    const response = await callDuringChange(400, { error: { message, type: 'invalid_request_error' } });
    const { error } = await readJson<ErrorBody>(response);
    expect(error.message).toBe('Neither [redacted] nor [redacted] may do this');
  });

  it('both are redacted in a large response, which a thread reads', async () => {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'x'.repeat(1024 * 1024) } }];
    const response = await callDuringChange(200, { choices, note: { error: { message } } });
    expect(response.status).toBe(200);
    const { note } = await readJson<{ note: ErrorBody }>(response);
    expect(note.error.message).toBe('Neither [redacted] nor [redacted] may do this');
  });
});
