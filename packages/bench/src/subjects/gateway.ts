import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiNodeFlags } from '@tollgate/core/runtime/api-node-flags';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { startChild } from '../host/child.ts';
import { findLedgerBackends } from './database-activity.ts';
import type { BenchDatabase } from './gateway-database.ts';
import { baseEnv, type Harness, type Subject, type SubjectServer } from './subject.ts';

const MAIN = fileURLToPath(new URL('../../../../api/src/main.ts', import.meta.url));

export interface Gateway extends SubjectServer {
  /** The same process, asked with keys that have everything a key can be held to. */
  metered: Subject;
}

/** Tollgate's api as it is deployed, on a database. As it is, its key has no limits. */
export async function startGateway(
  harness: Harness,
  database: BenchDatabase,
  profileDir: string | undefined,
): Promise<Gateway> {
  const port = await findFreePort();
  if (profileDir !== undefined) mkdirSync(profileDir, { recursive: true });
  const profile = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
  const child = await startChild({
    name: `gateway-${database.name}`,
    command: process.execPath,
    args: [...apiNodeFlags(), ...profile, MAIN],
    env: {
      ...baseEnv(),
      DRAIN_DELAY_MS: '0',
      DATABASE_URL: database.url,
      DATA_DIR: path.join(harness.dir, `gateway-${database.name}`),
      ENCRYPTION_KEY: database.encryptionKey,
      API_HOST: '127.0.0.1',
      API_PORT: String(port),
      PUBLIC_API_URL: `http://127.0.0.1:${port}/v1`,
      LOG_LEVEL: 'warn', // As access_log off is for nginx; Portkey logs no requests either.
    },
    core: harness.core,
    taskset: harness.tools.taskset,
    dir: harness.dir,
    readyUrl: `http://127.0.0.1:${port}/healthz`,
    signal: harness.signal,
  });
  const subject = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    pid: child.pid,
    findWorkers: () => findLedgerBackends(database.db),
  };
  const keys = database.meteredKeys.map(({ secret }) => secret);
  return {
    ...subject,
    name: 'gateway',
    headers: { authorization: `Bearer ${database.openKey}` },
    metered: { ...subject, name: 'metered', headers: { authorization: `Bearer ${keys[0] ?? ''}` }, keys },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
