import { isKeyOfDatabase } from '@tollgate/auth/encryption-key';
import { readEmbeddedSecrets, secretsPath } from '@tollgate/db/embedded/embedded-secrets';
import { migrate } from '@tollgate/db/migrate';
import { withKeyCheck, wrongEncryptionKey } from '@tollgate/db/queries/keys/key-check';
import type { CliEnv } from '../env.ts';
import { keepEmbedded } from './keep-embedded.ts';
import type { Service } from './service.ts';

export interface StartDatabase {
  url: string;
  /** The embedded server, restarted when it exits; null with DATABASE_URL. */
  kept: { service: Service; logPath: string } | null;
  /** Stops the embedded server unless another process uses it. Does nothing with DATABASE_URL. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded database or uses DATABASE_URL, and migrates the schema.
 * @param options.say receives progress messages
 * @param options.stopping fires when the installation stops
 */
export async function openStartDatabase(
  env: CliEnv,
  options: { say: (line: string) => void; stopping: AbortSignal },
): Promise<StartDatabase> {
  const database =
    env.DATABASE_URL === undefined
      ? await openEmbeddedKept(env.DATA_DIR, options)
      : { url: env.DATABASE_URL, kept: null, stop: () => Promise.resolve() };
  try {
    await migrate(database.url);
    await refuseWrongKey(env, database.url);
  } catch (error) {
    await database.stop();
    throw error;
  }
  return database;
}

async function openEmbeddedKept(
  dataDir: string,
  { say, stopping }: { say: (line: string) => void; stopping: AbortSignal },
): Promise<StartDatabase> {
  const { url, service, logPath } = await keepEmbedded(dataDir, {
    stopping,
    onProgress: (line) => say(`${line}…`),
    onWarning: (line) => void process.stderr.write(`${line}\n`),
  });
  const stop = async () => {
    service.stop();
    await service.exited;
  };
  return { url, kept: { service, logPath }, stop };
}

/** Checks the key before the services start, so that the error appears once. */
async function refuseWrongKey(env: CliEnv, url: string): Promise<void> {
  const isEmbedded = env.DATABASE_URL === undefined;
  const key = env.ENCRYPTION_KEY ?? (isEmbedded ? readEmbeddedSecrets(env.DATA_DIR).encryptionKey : null);
  if (key === null) return;
  const isMatching = await withKeyCheck(url, (check) => isKeyOfDatabase(key, check, { mayStore: true }));
  if (!isMatching)
    throw wrongEncryptionKey(env.ENCRYPTION_KEY === undefined ? secretsPath(env.DATA_DIR) : 'ENCRYPTION_KEY');
}
