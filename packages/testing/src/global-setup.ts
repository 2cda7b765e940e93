// First, because it makes the imports of the others faster.
import '@tollgate/db/quick-imports';
import { chmodSync, rmSync } from 'node:fs';
import { openEmbedded } from '@tollgate/db/embedded/embedded';
import { migrate } from '@tollgate/db/migrate';
import type { TestProject } from 'vitest/node';
import { createClusterFolder } from './cluster-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The migrated template database of all test files. */
    templateDatabaseUrl: string;
  }
}

/** One embedded PostgreSQL for the whole run, without durability, since it is deleted afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = createClusterFolder();
  chmodSync(dataDir, 0o755);
  const settings = { fsync: 'off', full_page_writes: 'off', autovacuum: 'off', max_wal_size: '256MB' };
  const server = await openEmbedded(dataDir, { settings });
  await migrate(server.url);
  project.provide('templateDatabaseUrl', server.url);
  return async () => {
    await server.stop({ evenIfUsed: true });
    rmSync(dataDir, { recursive: true, force: true });
  };
}
