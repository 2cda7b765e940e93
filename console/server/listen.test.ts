import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import type { AppEnv } from './http/app-env.ts';
import { drain, listen } from './listen.ts';

it('answers HTTP/1.0 without a host, as the checks of load balancers send it', async () => {
  const app = new Hono<AppEnv>().get('/healthz', (context) => context.json({ status: 'ok' }));
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
  socket.write('GET /healthz HTTP/1.0\r\n\r\n');
  await once(socket, 'close');
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  await drain(server);
});
