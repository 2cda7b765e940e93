import { openEmbedded } from '@tollgate/db/embedded';
import { migrate } from '@tollgate/db/migrate';
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
  } catch (error) {
    await database.stop();
    throw error;
  }
  return database;
}
