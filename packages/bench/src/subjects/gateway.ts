import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@tollgate/db/embedded';
import { sumUsage } from '@tollgate/db/queries/usage';
import { startChild } from '../host/child.ts';
import { openBenchDatabase, type GatewayUpstreams } from './gateway-database.ts';
import { baseEnv, type Stage, type Subject } from './subject.ts';

const MAIN = fileURLToPath(new URL('../../../../api/src/main.ts', import.meta.url));
const RECORDING_TIMEOUT_MS = 30_000;

export interface Gateway extends Subject {
  /** How many requests the usage tables know, once they know at least so many or half a minute has passed. */
  countRecorded(atLeast: number): Promise<number>;
}

/**
 * Tollgate's api as it is deployed, on a PostgreSQL of its own that is as durable as a fresh installation's. The
 * database shares the core of the load, so that the api alone has its own. Its key has no limits.
 */
export async function startGateway(
  stage: Stage,
  upstreams: GatewayUpstreams,
  profileDir: string | undefined,
): Promise<Gateway> {
  await using resources = new AsyncDisposableStack();
  const database = resources.use(await openBenchDatabase(stage.dir, upstreams));
  const port = await findFreePort();
  if (profileDir !== undefined) mkdirSync(profileDir, { recursive: true });
  const profile = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
  const child = resources.use(
    await startChild({
      name: 'gateway',
      command: process.execPath,
      args: [...profile, MAIN],
      env: {
        ...baseEnv(),
        DATABASE_URL: database.url,
        ENCRYPTION_KEY: database.encryptionKey,
        API_HOST: '127.0.0.1',
        API_PORT: String(port),
        PUBLIC_API_URL: `http://127.0.0.1:${port}/v1`,
        LOG_LEVEL: 'warn', // As access_log off is for nginx; Portkey logs no requests either.
      },
      core: stage.core,
      taskset: stage.tools.taskset,
      dir: stage.dir,
      readyUrl: `http://127.0.0.1:${port}/healthz`,
      signal: stage.signal,
    }),
  );
  const owned = resources.move();
  return {
    name: 'gateway',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    headers: { authorization: `Bearer ${database.apiKey}` },
    pid: child.pid,
    async countRecorded(atLeast) {
      const deadline = Date.now() + RECORDING_TIMEOUT_MS;
      for (;;) {
        const filter = { accountId: null, keyId: null, since: null };
        const { requests } = await sumUsage(database.db, filter);
        if (requests >= atLeast || Date.now() > deadline) return requests;
        await sleep(200, undefined, { signal: stage.signal });
      }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
