import { request, type IncomingMessage } from 'node:http';
import { changeLast } from '@tollgate/testing/change-last';
import { afterAll, describe, expect, it } from 'vitest';
import { createHarness } from '../../test/gateway-fixture.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';

const harness = await createHarness();
const { db } = harness.database;
const disabled = await startTestApi({ db, runtime: 'node', sockets: { isEnabled: false } });
const web = await startTestApi({ db, runtime: 'web' });
afterAll(async () => {
  await disabled.close();
  await web.close();
  await harness[Symbol.asyncDispose]();
});

/** The handshake of a WebSocket client. */
async function openSocket({ baseUrl }: TestApi, path: string, secret: string) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${baseUrl}${path}`, {
      headers: {
        authorization: `Bearer ${secret}`,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      },
    })
      .once('response', resolve)
      .once('error', reject)
      .end();
  });
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += String(piece);
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(text) as unknown };
}

describe.each([
  ['where WebSockets are disabled', disabled],
  ['on web-standard runtimes', web],
])('%s', (_, api) => {
  it.each(['/responses', '/v1/responses'])(
    'refuses the WebSocket of %s with 426 and names HTTP',
    async (path) => {
      const { status, headers, body } = await openSocket(api, path, harness.secret);
      expect(status).toBe(426);
      expect(headers).toMatchObject({ upgrade: 'HTTP/1.1', 'x-should-retry': 'false' });
      expect(body).toMatchObject({
        error: { code: 'websocket_not_supported', type: 'invalid_request_error' },
      });
    },
  );

  it('refuses a wrong key before that', async () => {
    const { status } = await openSocket(api, '/responses', changeLast(harness.secret));
    expect(status).toBe(401);
  });

  it('answers a plain GET of responses as an unknown endpoint', async () => {
    const response = await fetch(`${api.baseUrl}/responses`, {
      headers: { authorization: `Bearer ${harness.secret}` },
    });
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { error: { code: 'route_not_found' } },
    ]);
  });
});
