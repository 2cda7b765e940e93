import { mkdirSync } from 'node:fs';
import { startApi, type Api, type ApiDatabase } from './api-process.ts';
import { findLedgerBackends } from './database-activity.ts';
import type { BenchDatabase } from './gateway-database.ts';
import type { Harness } from './subject.ts';

/** Tollgate's api as it is deployed, on a database. As it is, its key has no limits. */
export function startGateway(
  harness: Harness,
  database: BenchDatabase,
  profileDir: string | undefined,
): Promise<Api> {
  return startApi(harness, harness.api, describeDatabase(database), { nodeFlags: profileFlags(profileDir) });
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
