import { openDatabase, type Database } from '@tollgate/db/client';
import { openEmbedded } from '@tollgate/db/embedded';
import { readEmbeddedSecrets } from '@tollgate/db/embedded-secrets';
import { migrate } from '@tollgate/db/migrate';
import type { Env } from './env.ts';

export interface OpenedDatabase {
  db: Database;
  encryptionKey: string;
  close(): Promise<void>;
}

/** Opens the database that the environment names, starting or joining the embedded one, and brings it up to date. */
export async function openConfiguredDatabase(settings: Env['database']): Promise<OpenedDatabase> {
  if (settings.mode === 'external') {
    await migrate(settings.url);
    const db = openDatabase(settings.url, { applicationName: 'tollgate console' });
    return { db, encryptionKey: settings.encryptionKey, close: () => db.close() };
  }
  const embedded = await openEmbedded(settings.dataDir);
  await migrate(embedded.url);
  const db = openDatabase(embedded.url, { applicationName: 'tollgate console' });
  return {
    db,
    encryptionKey: settings.encryptionKey ?? readEmbeddedSecrets(settings.dataDir).encryptionKey,
    async close() {
      await db.close();
      await embedded.stop();
    },
  };
}
