import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { apiNodeFlags } from '@tollgate/core/runtime/api-node-flags';
import { startApi, type Api, type ApiDatabase, type ApiSource } from './api-process.ts';
import { findLedgerBackends } from './database-activity.ts';
import type { BenchDatabase } from './gateway-database.ts';
import type { Harness } from './subject.ts';

/** The api of the working tree. */
export const THIS_API: ApiSource = {
  name: 'gateway',
  mainFile: fileURLToPath(new URL('../../../../api/src/main.ts', import.meta.url)),
  nodeFlags: apiNodeFlags(),
};

/** Tollgate's api as it is deployed, on a database. As it is, its key has no limits. */
export function startGateway(
  harness: Harness,
  database: BenchDatabase,
  profileDir: string | undefined,
): Promise<Api> {
  return startApi(harness, THIS_API, describeDatabase(database), { nodeFlags: profileFlags(profileDir) });
}

/** Flags with which Node writes a profile of the process when it ends. */
export function profileFlags(profileDir: string | undefined): string[] {
  if (profileDir === undefined) return [];
  mkdirSync(profileDir, { recursive: true });
  return ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
}

export function describeDatabase(database: BenchDatabase): ApiDatabase {
  const { name, url, encryptionKey, openKey, meteredKeys, db } = database;
  return {
    name,
    url,
    encryptionKey,
    openKey,
    meteredSecrets: meteredKeys.map(({ secret }) => secret),
    findBackends: () => findLedgerBackends(db),
  };
}
