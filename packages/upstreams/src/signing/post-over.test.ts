import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttp1Transport } from '../transport/http1/http1-transport.ts';
import { startForwardProxy } from '../transport/undici/forward-proxy.fixture.ts';
import { createUndiciTransport } from '../transport/undici/undici-transport.ts';
import { GoogleTokens } from './google-tokens.ts';
import { postOver } from './post-over.ts';
import { createTokenEndpoint, type TokenEndpoint } from './token-endpoint.fixture.ts';

let tokens: TokenEndpoint;
beforeAll(async () => {
  tokens = await createTokenEndpoint();
});
afterAll(() => tokens.close());

it('requests a token of Google through the proxy of the provider, once', async () => {
  await using proxy = await startForwardProxy();
  const transport = createUndiciTransport({ proxy: proxy.url });
  const google = new GoogleTokens();
  const token = await google.get(tokens.credential, transport);
  expect(token).toMatch(/^ya29\.\d+$/);
  expect(await google.get(tokens.credential, transport)).toBe(token);
  expect(proxy.requests).toEqual([`POST ${tokens.credential.tokenUrl}`]);
  await transport.close();
});

it('does not read a response above 1 MiB', async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.end(Buffer.alloc(2 * 1024 * 1024));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  const transport = createHttp1Transport();
  await expect(postOver(transport, url, {})).rejects.toThrow('the response is too large');
  await transport.close();
  server.close();
});
