import path from 'node:path';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { startChild } from '../host/child.ts';
import type { ApiSource } from './api-source.ts';
import { baseEnv, type Harness, type Subject, type SubjectServer } from './subject.ts';

/** A database that this code migrated, with the benchmark's models and keys. */
export interface ApiDatabase {
  name: string;
  url: string;
  encryptionKey: string;
  openKey: string;
  meteredSecrets: readonly string[];
  findBackends: () => Promise<readonly number[]>;
}

export interface ApiOptions {
  /** In addition to the flags of the source. */
  nodeFlags?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Answers 200 once the api counts as started. */
  readyPath?: '/healthz' | '/readyz';
}

export interface Api extends SubjectServer {
  /** The same process, asked with keys that have everything a key can be held to. */
  metered: Subject;
  /** From its spawn to the first 200 of `readyPath`. */
  readyMs: number;
}

/** Starts an api as it is deployed, on a database. As it is, its key has no limits. */
export async function startApi(
  harness: Harness,
  source: ApiSource,
  database: ApiDatabase,
  options: ApiOptions = {},
): Promise<Api> {
  const port = await findFreePort();
  const name = `gateway-${database.name}`;
  const child = await startChild({
    name,
    command: process.execPath,
    args: [...source.nodeFlags, ...(options.nodeFlags ?? []), source.mainFile],
    env: {
      ...baseEnv(),
      ...source.environment,
      DRAIN_DELAY_MS: '0',
      DATABASE_URL: database.url,
      DATA_DIR: path.join(harness.dir, name),
      ENCRYPTION_KEY: database.encryptionKey,
      API_HOST: '127.0.0.1',
      API_PORT: String(port),
      PUBLIC_API_URL: `http://127.0.0.1:${port}/v1`,
      LOG_LEVEL: 'warn', // As access_log off is for nginx; Portkey logs no requests either.
      ...options.env,
    },
    core: harness.core,
    taskset: harness.tools.taskset,
    dir: harness.dir,
    readyUrl: `http://127.0.0.1:${port}${options.readyPath ?? '/healthz'}`,
    signal: harness.signal,
  });
  const subject = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    pid: child.pid,
    findWorkers: database.findBackends,
  };
  const keys = database.meteredSecrets;
  const metered = source.name === 'gateway' ? 'metered' : `${source.name} metered`;
  return {
    ...subject,
    name: source.name,
    headers: { authorization: `Bearer ${database.openKey}` },
    metered: { ...subject, name: metered, headers: { authorization: `Bearer ${keys[0] ?? ''}` }, keys },
    readyMs: child.readyMs,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
