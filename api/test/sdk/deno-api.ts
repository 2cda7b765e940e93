/**
 * The api on Deno, for `deno-smoke.test.ts`: no Node server, no sockets, only `app.fetch`. It prints one line of JSON when it
 * is ready, and ends when its standard input does.
 */
import { createFetchTransport } from '@tollgate/upstreams/transport/fetch-transport';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { openApiDeps } from '../../src/deps.ts';
import { openWebExchange } from '../../src/runtime/web.ts';

declare const Deno: {
  version: { deno: string };
  serve(
    options: { port: number; hostname: string; onListen: () => void },
    handler: (request: Request) => Response | Promise<Response>,
  ): { addr: { port: number }; shutdown(): Promise<void> };
};

const [databaseUrl = '', secret = '', spoolDirectory = ''] = process.argv.slice(2);
const deps = await openApiDeps({
  drainAfterDisconnectMs: 0,
  databaseUrl,
  encryptionKey: Buffer.alloc(32, 7).toString('base64'),
  spoolDirectory,
  log: pino({ level: 'silent' }),
  http: createFetchTransport(),
});
const app = createApp(deps, openWebExchange);

// One call without any server: a Request in, a Response out.
const direct = await app.fetch(
  new Request('http://gateway.example/v1/models', { headers: { authorization: `Bearer ${secret}` } }),
);
const server = Deno.serve({ port: 0, hostname: '127.0.0.1', onListen: () => undefined }, (request) =>
  app.fetch(request),
);
const up = {
  deno: Deno.version.deno,
  baseUrl: `http://127.0.0.1:${server.addr.port}/v1`,
  directStatus: direct.status,
  directBody: await direct.json(),
};
process.stdout.write(`${JSON.stringify(up)}\n`);

for await (const _chunk of process.stdin) {
  // Nothing to do: only the end of input counts.
}
deps.startDraining();
await server.shutdown();
await deps.close();
