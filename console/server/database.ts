import { isKeyOfDatabase } from '@tollgate/auth/encryption-key';
import { openDatabase, type Database } from '@tollgate/db/client';
import { openEmbedded } from '@tollgate/db/embedded/embedded';
import { readEmbeddedSecrets } from '@tollgate/db/embedded/embedded-secrets';
import { migrate } from '@tollgate/db/migrate';
import { withKeyCheck, wrongEncryptionKey } from '@tollgate/db/queries/keys/key-check';
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
    await refuseOtherKey(settings.url, settings.encryptionKey, 'ENCRYPTION_KEY');
    const db = openDatabase(settings.url, { applicationName: 'tollgate console' });
    return { db, encryptionKey: settings.encryptionKey, close: () => db.close() };
  }
  const embedded = await openEmbedded(settings.dataDir);
  await migrate(embedded.url);
  const encryptionKey = settings.encryptionKey ?? readEmbeddedSecrets(settings.dataDir).encryptionKey;
  const source = settings.encryptionKey === null ? 'secrets.json' : 'ENCRYPTION_KEY';
  await refuseOtherKey(embedded.url, encryptionKey, source);
  const db = openDatabase(embedded.url, { applicationName: 'tollgate console' });
  return {
    db,
    encryptionKey,
    async close() {
      await db.close();
      await embedded.stop();
    },
  };
}

async function refuseOtherKey(url: string, encryptionKey: string, source: string): Promise<void> {
  const isRight = await withKeyCheck(url, (check) =>
    isKeyOfDatabase(encryptionKey, check, { mayStore: true }),
  );
  if (!isRight) throw wrongEncryptionKey(source);
}
