import { execFile } from 'node:child_process';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { renderCurl } from './render-curl.ts';

const received: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    received.push({ url: request.url, headers: request.headers, body });
    response.end('{}');
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;
afterAll(() => server.close());

it.each([
  ['/v1/chat/completions', 'authorization', 'Bearer sk-1'],
  ['/v1/messages', 'x-api-key', 'sk-1'],
])('a shell sends the body to %s as it was logged', async (endpoint, header, value) => {
  const body = `{"model":"m","messages":[{"role":"user","content":"It's $HOME, \\"quoted\\" @file \\\\ \`x\`\\n"}]}`;
  const command = renderCurl({ baseUrl: `http://127.0.0.1:${port}/v1`, endpoint, body });
  await promisify(execFile)('sh', ['-c', command], { env: { ...process.env, TOLLGATE_API_KEY: 'sk-1' } });
  const request = received.pop();
  expect(request).toMatchObject({ url: endpoint, body });
  expect(request?.headers).toMatchObject({ [header]: value, 'content-type': 'application/json' });
});

it('contains no key', () => {
  expect(renderCurl({ baseUrl: 'http://x/v1', endpoint: '/v1/messages', body: '{}' })).not.toContain('sk-');
});
