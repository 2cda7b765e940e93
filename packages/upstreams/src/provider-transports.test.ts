import { Buffer } from 'node:buffer';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHttpProvider } from './create-provider.ts';
import { NO_CREDENTIAL, type ProviderCredential } from './credential/credential.ts';
import { eventFrame } from './envelope/bedrock-frame.fixture.ts';
import { createHeardCall } from './envelope/heard-call.fixture.ts';
import { completionAddress, providerHeaders } from './provider-request.ts';
import { createProviderTransports, type ProviderTransports } from './provider-transports.ts';
import { createTokenEndpoint, type TokenEndpoint } from './signing/token-endpoint.fixture.ts';
import { computeSignature, readAuthorization } from './signing/verify-sigv4.fixture.ts';
import { createFetchTransport } from './transport/fetch-transport.ts';
import { createHttp1Transport } from './transport/http1/http1-transport.ts';

const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const AWS: ProviderCredential = {
  kind: 'aws',
  accessKeyId: 'AKIDEXAMPLE12345',
  secretAccessKey: SECRET,
  sessionToken: null,
  headers: { 'x-team': 'blue' },
};

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

describe.each([
  ['HTTP/1.1', () => createHttp1Transport()],
  ['fetch', () => createFetchTransport()],
] as const)('provider transports to clouds over %s', (_name, createTransport) => {
  let server: Server;
  let tokens: TokenEndpoint;
  let transports: ProviderTransports;
  let received: Received[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      void buffer(request).then((body) => {
        received.push({ path: request.url ?? '', headers: request.headers, body });
        if (request.url?.endsWith('-stream') !== true)
          return response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"msg_1"}');
        response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
        return response.end(Buffer.concat(['{"type":"ping"}', '{"type":"message_stop"}'].map(eventFrame)));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    tokens = await createTokenEndpoint();
  });
  beforeEach(() => {
    received = [];
    transports = createProviderTransports(createTransport());
  });
  afterEach(() => transports.close());
  afterAll(() => {
    tokens.close();
    server.closeAllConnections();
    server.close();
  });

  /** Sends a completion the way the gateway does, to a provider of the preset at the local server. */
  async function send(preset: string, path: string, input: { credential: ProviderCredential; body: string }) {
    const provider = createHttpProvider(
      {
        id: 'prov_1',
        name: 'cloud',
        preset,
        dialect: preset.endsWith('anthropic') ? 'anthropic-messages' : 'openai-chat',
        baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
        settings: { region: 'eu-west-1', project: 'p' },
        connectTimeoutMs: null,
        firstByteTimeoutMs: null,
        idleTimeoutMs: null,
        totalTimeoutMs: null,
        maxConcurrency: null,
      },
      input.credential,
    );
    const headers = [...Object.entries(providerHeaders(provider)).flat(), 'content-type', 'application/json'];
    const heard = createHeardCall();
    const request = {
      ...completionAddress(provider, provider.dialect),
      headers,
      body: Buffer.from(input.body),
    };
    const call = transports.of(provider).send(request, heard);
    return { heard, call };
  }

  it.each([
    ['bedrock-anthropic', '', '{"model":"us.anthropic.claude:0","stream":true}'],
    ['bedrock-anthropic', '', '{"model":"us.anthropic.claude:0"}'],
    ['bedrock-openai', '/openai/v1', '{"model":"openai.gpt-oss-20b-1:0"}'],
  ])('signs the exact bytes sent to %s', async (preset, path, body) => {
    const { heard } = await send(preset, path, { credential: AWS, body });
    await heard.done;
    const [{ headers, ...arrived } = { path: '', headers: {}, body: Buffer.alloc(0) }] = received;
    const said = readAuthorization(headers['authorization'] ?? '');
    expect(said).toMatchObject({ accessKeyId: 'AKIDEXAMPLE12345', region: 'eu-west-1', service: 'bedrock' });
    expect(said.signedHeaders).toEqual(expect.arrayContaining(['host', 'x-team', 'x-amz-date']));
    const single = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    expect(said.signature).toBe(computeSignature({ method: 'POST', ...arrived, headers: single }, SECRET));
  });

  it('converts a stream of Bedrock to Anthropic’s format', async () => {
    const { heard } = await send('bedrock-anthropic', '', {
      credential: AWS,
      body: '{"model":"m","stream":true}',
    });
    await heard.done;
    expect(received[0]?.path).toBe('/model/m/invoke-with-response-stream');
    expect(heard.contentType).toBe('text/event-stream; charset=utf-8');
    expect(heard.body()).toBe(
      'event: ping\ndata: {"type":"ping"}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n',
    );
  });

  it('sends an API key of Bedrock unchanged', async () => {
    const credential: ProviderCredential = { kind: 'api-key', apiKey: 'ABSK1', headers: {} };
    const { heard } = await send('bedrock-anthropic', '', { credential, body: '{"model":"m"}' });
    await heard.done;
    expect(received[0]?.headers['authorization']).toBe('Bearer ABSK1');
    expect(received[0]?.path).toBe('/model/m/invoke');
  });

  it.each([
    ['vertex-anthropic', '/models', '/models/claude@1:rawPredict'],
    ['vertex-gemini', '/openapi', '/openapi/chat/completions'],
  ])('sends %s a requested access token', async (preset, path, arrivesAt) => {
    const { heard } = await send(preset, path, {
      credential: tokens.credential,
      body: '{"model":"claude@1"}',
    });
    await heard.done;
    expect(received[0]?.headers['authorization']).toMatch(/^Bearer ya29\.\d+$/);
    expect(received[0]?.path).toBe(arrivesAt);
    expect(heard.body()).toBe('{"id":"msg_1"}');
  });

  it('reports a refused service account as a refusal by the provider, and sends nothing', async () => {
    tokens.behave({ status: 400 });
    const { heard } = await send('vertex-anthropic', '', {
      credential: tokens.credential,
      body: '{"model":"m"}',
    });
    await heard.done;
    tokens.behave({ status: 200 });
    expect(heard.status).toBe(401);
    expect(JSON.parse(heard.body())).toMatchObject({ error: { type: 'authentication_error' } });
    expect(received).toEqual([]);
  });

  it('reports an unreachable token endpoint as an unreachable provider', async () => {
    const credential = { ...tokens.credential, tokenUrl: 'http://127.0.0.1:1/token' };
    const { heard } = await send('vertex-gemini', '', { credential, body: '{"model":"m"}' });
    await heard.done;
    expect(heard.failure?.kind).toBe('connect');
  });

  it('fails a request that does not fit the envelope, and sends nothing', async () => {
    const { heard } = await send('bedrock-anthropic', '', { credential: AWS, body: '{"stream":true}' });
    expect(heard.failure).toBeNull();
    await heard.done;
    expect(heard.failure).toEqual({ kind: 'protocol', detail: 'The body of a completion names no model' });
    expect(received).toEqual([]);
  });

  it('sends nothing if the caller disconnects during signing', async () => {
    const { call, heard } = await send('bedrock-anthropic', '', { credential: AWS, body: '{"model":"m"}' });
    call.abort();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(received).toEqual([]);
    expect(heard).toMatchObject({ status: null, isEnded: false, failure: null });
  });

  it('does not deliver a stream that was paused before it began', async () => {
    const body = '{"model":"m","stream":true}';
    const { call, heard } = await send('bedrock-anthropic', '', { credential: AWS, body });
    call.pause();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(heard.isEnded).toBe(false);
    call.resume();
    await heard.done;
    expect(heard.isEnded).toBe(true);
  });

  it('uses the plain transport for a provider without envelope or signature', async () => {
    const { heard } = await send('groq', '/v1', { credential: NO_CREDENTIAL, body: '{"model":"m"}' });
    await heard.done;
    expect(received[0]).toMatchObject({ path: '/v1/chat/completions', body: Buffer.from('{"model":"m"}') });
  });
});
