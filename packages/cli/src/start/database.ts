import { isKeyOfDatabase } from '@tollgate/auth/encryption-key';
import { openEmbedded } from '@tollgate/db/embedded';
import { readEmbeddedSecrets, secretsPath } from '@tollgate/db/embedded-secrets';
import { migrate } from '@tollgate/db/migrate';
import { withKeyCheck, wrongEncryptionKey } from '@tollgate/db/queries/key-check';
import type { CliEnv } from '../env.ts';

export interface StartDatabase {
  url: string;
  /** Stops the embedded server unless somebody else uses it; does nothing to that of DATABASE_URL. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded database, or takes that of DATABASE_URL, and brings its schema up to date.
 * @param say told what takes time
 */
export async function openStartDatabase(env: CliEnv, say: (line: string) => void): Promise<StartDatabase> {
  const database =
    env.DATABASE_URL === undefined
      ? await openEmbedded(env.DATA_DIR, { onProgress: (line) => say(`${line}…`), onWarning: say })
      : { url: env.DATABASE_URL, stop: () => Promise.resolve() };
  try {
    await migrate(database.url);
    await refuseOtherKey(env, database.url);
  } catch (error) {
    await database.stop();
    throw error;
  }
  return database;
}

/** Before the services start, so that it is said once. */
async function refuseOtherKey(env: CliEnv, url: string): Promise<void> {
  const isEmbedded = env.DATABASE_URL === undefined;
  const key = env.ENCRYPTION_KEY ?? (isEmbedded ? readEmbeddedSecrets(env.DATA_DIR).encryptionKey : null);
  if (key === null) return;
  const isRight = await withKeyCheck(url, (check) => isKeyOfDatabase(key, check, { mayStore: true }));
  if (!isRight)
    throw wrongEncryptionKey(env.ENCRYPTION_KEY === undefined ? secretsPath(env.DATA_DIR) : 'ENCRYPTION_KEY');
}
