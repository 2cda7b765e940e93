/** The api on the web-standard runtime as a separate process, for tests that kill it. */
import path from 'node:path';
import { createFetchTransport } from '@tollgate/upstreams/transport/fetch-transport';
import { DEFAULT_TIMEOUTS } from '@tollgate/upstreams/transport/transport';
import { pino } from 'pino';
import { openApiDeps } from '../../../src/deps.ts';
import { drain } from '../../../src/drain.ts';
import { readEnv } from '../../../src/env.ts';
import { listen } from '../../../src/runtime/listen.ts';
import { createWebServer } from '../../../src/testing/start-test-api.ts';

const env = readEnv();
const deps = await openApiDeps({
  databaseUrl: env.DATABASE_URL ?? '',
  encryptionKey: env.ENCRYPTION_KEY ?? '',
  spoolDirectory: path.join(env.DATA_DIR, 'spool'),
  log: pino({ level: env.LOG_LEVEL }),
  http: createFetchTransport(DEFAULT_TIMEOUTS),
});
const server = createWebServer(deps);
await listen(server, env.API_PORT, env.API_HOST);
process.on(
  'SIGTERM',
  () => void drain(server, deps, { delayMs: 0, timeoutMs: env.DRAIN_TIMEOUT_MS }).then(() => process.exit(0)),
);
