import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '@tollgate/db/client';
import { openEmbedded } from '@tollgate/db/embedded/embedded';
import { readEmbeddedSecrets } from '@tollgate/db/embedded/embedded-secrets';

export interface DatabaseServer extends AsyncDisposable {
  /** Makes an empty database. @returns its URL */
  createDatabase(name: string): Promise<string>;
  encryptionKey: string;
}

/**
 * A PostgreSQL of the benchmark's own, as durable as that of a fresh installation. It runs where this process does: on
 * the core of the load, so that the servers under test have theirs for themselves.
 */
export async function startDatabaseServer(dir: string): Promise<DatabaseServer> {
  const dataDir = path.join(dir, 'data');
  mkdirSync(dataDir);
  // PostgreSQL may run as another user, who must be able to come in.
  chmodSync(dir, 0o755);
  const server = await openEmbedded(dataDir);
  return {
    encryptionKey: readEmbeddedSecrets(dataDir).encryptionKey,
    async createDatabase(name) {
      const db = openDatabase(server.url, { maxConnections: 1, applicationName: 'tollgate-bench' });
      try {
        await db.sql`CREATE DATABASE ${db.sql(name)}`;
      } finally {
        await db.close();
      }
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return url.href;
    },
    // A connection outlives its client by some milliseconds.
    [Symbol.asyncDispose]: () => server.stop({ evenIfUsed: true }),
  };
}
