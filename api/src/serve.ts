import path from 'node:path';
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
import { pino } from 'pino';
import { listBuiltInProviders } from './built-ins/built-in-providers.ts';
import { openApiDeps, type ApiDeps } from './deps.ts';
import { drain } from './drain.ts';
import { readEnv, type ApiEnv } from './env.ts';
import { createNodeServer, listen } from './runtime/node.ts';

const MIB = 1024 * 1024;
const DEFAULT_DRAIN_DELAY_MS = 5_000;

/** Runs the service: env → database → deps → serve → drain. @throws Error with the reason if it does not start */
export async function serve(): Promise<void> {
  lowerV8ThreadPriorities();
  const env = readEnv();
  const log = pino({ name: 'api', level: env.LOG_LEVEL });
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
    spoolDirectory: path.join(env.DATA_DIR, 'spool'),
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
  const server = createNodeServer(deps);
  await listen(server, env.API_PORT, env.API_HOST);
  // The signal handlers now own the shutdown.
  opened.move();
  log.info({ host: env.API_HOST, port: env.API_PORT }, 'the api listens');

  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    // A second signal skips the drain.
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal, inFlight: deps.inFlight.size }, 'draining');
    drain(server, deps, { delayMs: drainDelayMs(env), timeoutMs: env.DRAIN_TIMEOUT_MS })
      .then(() => database.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.fatal({ err: error }, 'the api did not shut down cleanly');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
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
