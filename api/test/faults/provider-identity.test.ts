import { afterAll, describe, expect, it } from 'vitest';
import { startWithCredential } from './credential-fixture.ts';

const SECRET = 'zq9/opaque+provider.credential';
const UUID = '1f6c2e9a-aaaa-4bbb-8ccc-0123456789ab';
const DIALECTS = ['openai-chat', 'anthropic-messages'] as const;
const PATHS = ['/chat/completions', '/messages', '/responses'] as const;
const OWN_PATHS = { 'openai-chat': '/chat/completions', 'anthropic-messages': '/messages' } as const;

const { api, provider, secret, close } = await startWithCredential(SECRET, DIALECTS);
afterAll(close);

/** Provider messages, and the parts that no caller may see. */
const LEAKS: Record<string, { message: string; never: string }> = {
  'an organization': { message: `Over the limit of your organization (org: ${UUID})`, never: UUID },
  'a header of the response': { message: `anthropic-organization-id: ${UUID}`, never: UUID },
  'the credential': { message: `key ${SECRET} is bad`, never: SECRET },
  'the credential in base64': {
    message: `Basic ${Buffer.from(`:${SECRET}`).toString('base64')}`,
    never: Buffer.from(`:${SECRET}`).toString('base64').slice(4, -4),
  },
  'the credential in a URL': { message: `GET /x?k=${encodeURIComponent(SECRET)}`, never: 'opaque' },
  'the credential in JSON': {
    message: JSON.stringify({ k: SECRET }).replaceAll('/', String.raw`\/`),
    never: 'opaque',
  },
  'the credential in capitals': { message: `BEARER ${SECRET.toUpperCase()}`, never: 'OPAQUE' },
  'the credential masked': { message: 'Incorrect key: zq9/op*******tial.', never: 'tial' },
  'a key of a project': { message: 'Incorrect key: sk-proj-****abcd', never: 'abcd' },
  'a project': { message: 'not used in project 123456789012 before', never: '123456789012' },
  'a private address': { message: 'dial tcp 10.1.2.3:8000: refused', never: '10.1.2.3' },
  'the base URL': { message: `POST ${provider.origin}/v1/x?key=abc1: 502`, never: provider.origin.slice(7) },
};

function ask(path: (typeof PATHS)[number], model: string, stream: boolean): Promise<Response> {
  const messages = [{ role: 'user', content: 'Hello' }];
  return fetch(`${api.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      stream,
      ...(path === '/responses' ? { input: 'Hello' } : { messages, max_tokens: 64 }),
    }),
  });
}

const openings = {
  'openai-chat':
    'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}\n\n',
  'anthropic-messages':
    'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\n\nevent: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\nevent: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}\n\n',
};

const cases = DIALECTS.flatMap((dialect) =>
  PATHS.flatMap((path) => [false, true].map((stream) => ({ dialect, path, stream }))),
);

describe.each(cases)('$path of a $dialect provider, stream $stream', ({ dialect, path, stream }) => {
  it.each(Object.entries(LEAKS))('does not pass on %s in an error', async (_name, { message, never }) => {
    const error = { type: 'error', error: { type: 'invalid_request_error', message, code: message } };
    const body = Buffer.from(JSON.stringify(error));
    const event = Buffer.from(`${openings[dialect]}event: error\ndata: ${JSON.stringify(error)}\n\n`);
    const failing = [
      { status: 400, body, contentType: 'text/html' },
      { status: 200, body, contentType: 'application/json' },
      ...(stream ? [{ body: event, contentType: 'text/event-stream' }] : []),
    ];
    for (const replay of failing) {
      provider.reset();
      provider.always({ replay });
      const response = await ask(path, dialect, stream);
      const text = await response.text();
      expect(text).toContain('error');
      expect(text).not.toContain(never);
      const isStream = response.status === 200;
      expect(response.headers.get('content-type')).toBe(
        isStream ? 'text/event-stream; charset=utf-8' : 'application/json',
      );
    }
  });

  it("has the gateway's content type, whatever the provider sends", async () => {
    provider.reset();
    // In the provider's own dialect the response is relayed unchanged, so the replay is known.
    const own = await ask(OWN_PATHS[dialect], dialect, stream);
    expect(own.status).toBe(200);
    const body = Buffer.from(await own.arrayBuffer());
    const sent = stream
      ? ['Text/Event-Stream;charset=latin1', 'text/event-stream']
      : ['text/html', 'image/svg+xml'];
    for (const contentType of sent) {
      provider.always({ replay: { body, contentType } });
      const response = await ask(path, dialect, stream);
      expect(response.status).toBe(200);
      await response.arrayBuffer();
      expect(response.headers.get('content-type')).toBe(
        stream ? 'text/event-stream; charset=utf-8' : 'application/json',
      );
    }
  });
});
