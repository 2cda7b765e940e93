import { isKeyOfDatabase } from '@tollgate/auth/encryption-key';
import { openEmbedded } from '@tollgate/db/embedded/embedded';
import { readEmbeddedSecrets } from '@tollgate/db/embedded/embedded-secrets';
import { localUrl } from '@tollgate/core/runtime/local-address';
import { lowerV8ThreadPriorities } from '@tollgate/core/runtime/thread-priority';
import { migrate } from '@tollgate/db/migrate';
import { withKeyCheck, wrongEncryptionKey } from '@tollgate/db/queries/keys/key-check';
import { surviveLostConnection } from '@tollgate/db/survive-lost-connection';
import { syncRoutePatterns } from '@tollgate/db/queries/catalogue/sync-route-patterns';
import { listPatternOffers } from '@tollgate/upstreams/catalogue/model-catalogue';
import { ensureBuiltIn, type BuiltInProvider } from '@tollgate/db/queries/catalogue/built-ins';
import { createHttp1Transport } from '@tollgate/upstreams/transport/http1/http1-transport';
import { pino, type Logger } from 'pino';
import { listBuiltInProviders } from './built-ins/built-in-providers.ts';
import { openApiDeps, type ApiDeps } from './deps.ts';
import { drain } from './drain.ts';
import type { ApiEnv } from './env.ts';
import { listen } from './runtime/listen.ts';
import { createNodeServer } from './runtime/node.ts';
import { shrinkHeap } from './runtime/shrink-heap.ts';
import { leave } from './workers/leave.ts';
import { LeftSpools } from './workers/left-spools.ts';
import { WorkerLink } from './workers/worker-link.ts';
import { WorkerListener } from './workers/worker-listener.ts';
import { getSpoolDirectory } from './workers/worker-place.ts';

const MIB = 1024 * 1024;
const DEFAULT_DRAIN_DELAY_MS = 5_000;

/**
 * Runs the service in this process: env → database → deps → serve → drain.
 * @throws Error with the reason if it does not start
 */
export async function serve(env: ApiEnv): Promise<void> {
  lowerV8ThreadPriorities();
  const place = env.TOLLGATE_WORKER ?? null;
  const link = place === null ? null : new WorkerLink(place.workers);
  const log = createLog(env);
  surviveLostConnection(log);
  await using opened = new AsyncDisposableStack();
  const database = await openDatabase(env);
  opened.defer(() => database.stop());
  await migrate(database.url);
  const { encryptionKey } = database;
  const isRightKey = await withKeyCheck(database.url, (check) =>
    isKeyOfDatabase(encryptionKey, check, { mayStore: true }),
  );
  if (!isRightKey)
    throw wrongEncryptionKey(env.ENCRYPTION_KEY === undefined ? 'secrets.json' : 'ENCRYPTION_KEY');
  const deps = await openApiDeps({
    databaseUrl: database.url,
    encryptionKey: database.encryptionKey,
    redisUrl: env.REDIS_URL ?? null,
    ...(env.BODY_MEMORY_MIB === undefined ? {} : { bodyMemoryBytes: env.BODY_MEMORY_MIB * MIB }),
    ...(env.RESPONSE_MEMORY_MIB === undefined ? {} : { responseMemoryBytes: env.RESPONSE_MEMORY_MIB * MIB }),
    link,
    spoolDirectory: getSpoolDirectory(env.DATA_DIR, place?.slot ?? 1),
    log,
    http: createHttp1Transport(),
    proxies: env.proxies,
    drainAfterDisconnectMs: env.DISCONNECT_DRAIN_MS,
    sockets: { isEnabled: env.RESPONSES_WEBSOCKET === 'on' },
    consoleUrl: env.PUBLIC_CONSOLE_URL ?? localUrl(env.CONSOLE_HOST, env.CONSOLE_PORT),
    corsOrigins: env.CORS_ORIGINS,
    environmentCredentials: { OPENAI_API_KEY: env.OPENAI_API_KEY, ANTHROPIC_API_KEY: env.ANTHROPIC_API_KEY },
  });
  opened.defer(() => deps.close());
  await addBuiltIns(deps, listBuiltInProviders(env, Date.now()));
  const left = new LeftSpools({ dataDir: env.DATA_DIR, own: deps.spoolDirectory, ledger: deps.ledger, log });
  opened.defer(() => left.stop());
  left.start();
  const server = createNodeServer(deps);
  const listener = link === null ? null : new WorkerListener(server);
  shrinkHeap();
  await (listener === null
    ? listen(server, env.API_PORT, env.API_HOST)
    : listener.listen(place?.listenFds ?? 1));
  // The signal handlers now own the shutdown.
  opened.move();
  if (link === null) log.info({ host: env.API_HOST, port: env.API_PORT }, 'the api listens');

  const end = (ending: Promise<void>) => {
    left.stop();
    ending
      .then(() => database.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.fatal({ err: error }, 'the api did not shut down cleanly');
          process.exit(1);
        },
      );
  };
  const timeoutMs = env.DRAIN_TIMEOUT_MS;
  if (link === null || listener === null) {
    let isStopping = false;
    const stop = (signal: NodeJS.Signals) => {
      // A second signal skips the drain.
      if (isStopping) process.exit(1);
      isStopping = true;
      log.info({ signal, inFlight: deps.inFlight.size }, 'draining');
      end(drain(server, deps, { delayMs: drainDelayMs(env), timeoutMs }));
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    return;
  }
  link.start({
    onCover: (position, handle) => listener.cover(position, handle),
    onUncover: (position) => listener.uncover(position),
    onEnd: (how) => {
      log.info({ how, inFlight: deps.inFlight.size }, 'draining');
      if (how === 'replaced') return end(leave(listener, deps, { timeoutMs, stopping: link.stopping }));
      // A supervisor that is started next needs the port.
      if (how === 'orphaned') listener.stopAccepting();
      end(drain(listener, deps, { delayMs: how === 'orphaned' ? 0 : drainDelayMs(env), timeoutMs }));
    },
  });
}

function createLog(env: ApiEnv): Logger {
  const log = pino({ name: 'api', level: env.LOG_LEVEL });
  return env.TOLLGATE_WORKER === undefined ? log : log.child({ worker: env.TOLLGATE_WORKER.slot });
}

/** `npm start` has no load balancer that must notice the shutdown first. */
function drainDelayMs(env: ApiEnv): number {
  return env.DRAIN_DELAY_MS ?? (env.TOLLGATE_ORCHESTRATED === '1' ? 0 : DEFAULT_DRAIN_DELAY_MS);
}

interface DatabaseOfEnv {
  url: string;
  encryptionKey: string;
  stop(): Promise<void>;
}

/** DATABASE_URL, or else the embedded database of DATA_DIR, started here if it is not running. */
async function openDatabase(env: ApiEnv): Promise<DatabaseOfEnv> {
  if (env.DATABASE_URL !== undefined) {
    return { url: env.DATABASE_URL, encryptionKey: env.ENCRYPTION_KEY ?? '', stop: () => Promise.resolve() };
  }
  const embedded = await openEmbedded(env.DATA_DIR);
  const encryptionKey = env.ENCRYPTION_KEY ?? readEmbeddedSecrets(env.DATA_DIR).encryptionKey;
  return { url: embedded.url, encryptionKey, stop: () => embedded.stop() };
}

async function addBuiltIns(deps: ApiDeps, builtIns: readonly BuiltInProvider[]): Promise<void> {
  for (const builtIn of builtIns) {
    if (await ensureBuiltIn(deps.db, builtIn))
      deps.log.info({ provider: builtIn.name }, 'a built-in provider was added');
  }
  // A new release may know more models.
  const { added } = await syncRoutePatterns(deps.db, listPatternOffers(Date.now()));
  if (added.length > 0) deps.log.info({ models: added }, 'models of route patterns were added');
  await deps.catalogue.load();
}
