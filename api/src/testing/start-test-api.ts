import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getRequestListener } from '@hono/node-server';
import type { Database } from '@tollgate/db/client';
import { createFetchTransport } from '@tollgate/upstreams/transport/fetch-transport';
import type { BreakerPolicy } from '@tollgate/upstreams/routing/circuit-breaker';
import { DEFAULT_RETRY } from '@tollgate/upstreams/routing/retry-policy';
import { createHttp1Transport } from '@tollgate/upstreams/transport/http1/http1-transport';
import { DEFAULT_TIMEOUTS, type UpstreamTimeouts } from '@tollgate/upstreams/transport/transport';
import { pino } from 'pino';
import { createApp } from '../app.ts';
import { openApiDeps, type ApiDeps, type ApiDepsOptions } from '../deps.ts';
import { drain } from '../drain.ts';
import { listen } from '../runtime/listen.ts';
import { createNodeServer } from '../runtime/node.ts';
import type { BodyPace } from '../request-body/read-limits.ts';
import { openWebExchange } from '../runtime/web.ts';

export interface TestApi {
  /** Ends with `/v1`. */
  baseUrl: string;
  deps: ApiDeps;
  close(): Promise<void>;
}

export interface TestApiOptions {
  db: Database;
  /** `node`: the raw path. `web`: `app.fetch` with `Request`, `Response` and `fetch`, behind a plain adapter. */
  runtime: 'node' | 'web';
  encryptionKey?: string;
  timeouts?: Partial<UpstreamTimeouts>;
  /** Attempts per request; one by default, so that the caller sees the provider's fault. */
  attempts?: number;
  /** Consecutive failures that open a route's breaker; by default never. */
  breaker?: BreakerPolicy;
  tickMs?: number;
  /** How long a provider is read after its caller disconnected, in ms; by default not at all. */
  drainAfterDisconnectMs?: number;
  redisUrl?: string;
  maxSpoolBytes?: number;
  consoleUrl?: string;
  corsOrigins?: readonly string[];
  ledgerWatch?: ApiDepsOptions['ledgerWatch'];
  bodyMemoryBytes?: number;
  bodyPace?: BodyPace;
  bodyWorkers?: ApiDepsOptions['bodyWorkers'];
  responseMemoryBytes?: number;
  proxies?: ApiDepsOptions['proxies'];
  sockets?: ApiDepsOptions['sockets'];
  healthChecks?: ApiDepsOptions['healthChecks'];
}

/** The whole api on a separate port, with a test's database. */
export async function startTestApi({
  db,
  runtime,
  encryptionKey,
  timeouts,
  attempts = 1,
  breaker = { failures: Number.POSITIVE_INFINITY, openMs: 1_000 },
  tickMs,
  drainAfterDisconnectMs = 0,
  redisUrl,
  maxSpoolBytes,
  ledgerWatch,
  consoleUrl,
  corsOrigins,
  bodyMemoryBytes,
  bodyPace,
  bodyWorkers,
  responseMemoryBytes,
  proxies,
  sockets,
  healthChecks,
}: TestApiOptions): Promise<TestApi> {
  const spoolDirectory = await mkdtemp(path.join(tmpdir(), 'tollgate-spool-'));
  const limits = { ...DEFAULT_TIMEOUTS, ...timeouts };
  const deps = await openApiDeps({
    databaseUrl: db.url,
    encryptionKey: encryptionKey ?? randomBytes(32).toString('base64'),
    spoolDirectory,
    log: pino({ level: 'silent' }),
    http: runtime === 'node' ? createHttp1Transport({ timeouts: limits }) : createFetchTransport(limits),
    retry: { ...DEFAULT_RETRY, attempts },
    breaker,
    drainAfterDisconnectMs,
    ...(tickMs === undefined ? {} : { tickMs }),
    redisUrl: redisUrl ?? null,
    ...(proxies === undefined ? {} : { proxies }),
    ...(sockets === undefined ? {} : { sockets }),
    ...(healthChecks === undefined ? {} : { healthChecks }),
    consoleUrl: consoleUrl ?? null,
    ...(corsOrigins === undefined ? {} : { corsOrigins }),
    ...(maxSpoolBytes === undefined ? {} : { maxSpoolBytes }),
    ...(ledgerWatch === undefined ? {} : { ledgerWatch }),
    ...(bodyMemoryBytes === undefined ? {} : { bodyMemoryBytes }),
    ...(bodyPace === undefined ? {} : { bodyPace }),
    ...(bodyWorkers === undefined ? {} : { bodyWorkers }),
    ...(responseMemoryBytes === undefined ? {} : { responseMemoryBytes }),
  });
  const server = runtime === 'node' ? createNodeServer(deps) : createWebServer(deps);
  await listen(server, 0, '127.0.0.1');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    deps,
    close: async () => {
      await drain(server, deps, { delayMs: 0, timeoutMs: 2_000 });
      await rm(spoolDirectory, { recursive: true });
    },
  };
}

/** The web-standard runtime behind a plain adapter. */
export function createWebServer(deps: ApiDeps): Server {
  const app = createApp(deps, openWebExchange);
  // Only `Request` and `Response` are passed, as on a runtime without Node's sockets.
  const listener = getRequestListener((request) => app.fetch(request), { overrideGlobalObjects: false });
  return createServer((incoming, outgoing) => void listener(incoming, outgoing));
}
