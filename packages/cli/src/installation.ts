import { keyCheckOf } from '@tollgate/auth/encryption-key';
import { createSealer, type Sealer } from '@tollgate/auth/seal';
import { openDatabase, type Database } from '@tollgate/db/client';
import { openEmbedded } from '@tollgate/db/embedded/embedded';
import { readEmbeddedSecrets, secretsPath } from '@tollgate/db/embedded/embedded-secrets';
import { migrate, readSchemaVersion } from '@tollgate/db/migrate';
import { withKeyCheck, wrongEncryptionKey } from '@tollgate/db/queries/keys/key-check';
import type { CliEnv } from './env.ts';
import { Failure } from './failure.ts';

/** What a command works on. */
export interface Installation {
  db: Database;
  /** Seals and opens credentials under ENCRYPTION_KEY. */
  sealer: () => Sealer;
}

/**
 * Runs `work` on the database of DATABASE_URL, else on the embedded one of DATA_DIR: joined where it is running,
 * started for the time of the command where it is not.
 * @throws Failure where the database cannot be reached or has another schema
 */
export async function withInstallation<T>(
  env: CliEnv,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const { url, stop } =
    env.DATABASE_URL === undefined ? await openOwn(env.DATA_DIR) : await join(env.DATABASE_URL);
  try {
    const db = openDatabase(url, { maxConnections: 1, applicationName: 'tollgate cli' });
    try {
      const isRight = await isRightKey(env, url);
      return await work({
        db,
        sealer: () => {
          const sealer = createSealer(readEncryptionKey(env));
          if (!isRight) throw wrongEncryptionKey(keySource(env));
          return sealer;
        },
      });
    } finally {
      await db.close();
    }
  } finally {
    await stop();
  }
}

/**
 * ENCRYPTION_KEY, or the one that embedded mode keeps.
 * @throws Failure where DATABASE_URL is set and ENCRYPTION_KEY is not
 */
export function readEncryptionKey(env: CliEnv): string {
  if (env.ENCRYPTION_KEY !== undefined) return env.ENCRYPTION_KEY;
  if (env.DATABASE_URL === undefined) return readEmbeddedSecrets(env.DATA_DIR).encryptionKey;
  throw new Failure(
    'encryption_key_missing',
    'Set ENCRYPTION_KEY to the one that the api and the console run with',
  );
}

/** True also when there is no key here: commands that seal nothing need none. */
async function isRightKey(env: CliEnv, url: string): Promise<boolean> {
  if (env.DATABASE_URL !== undefined && env.ENCRYPTION_KEY === undefined) return true;
  const key = readEncryptionKey(env);
  return withKeyCheck(url, async (check) => {
    const stored = await check.read();
    return stored === null || stored.equals(keyCheckOf(key));
  });
}

/** Where the encryption key comes from, for messages. */
export function keySource(env: CliEnv): string {
  return env.ENCRYPTION_KEY === undefined ? secretsPath(env.DATA_DIR) : 'ENCRYPTION_KEY';
}

interface OpenedUrl {
  url: string;
  stop: () => Promise<void>;
}

/** Only a database that was just created is migrated: an older release may be running on any other. */
async function openOwn(dataDir: string): Promise<OpenedUrl> {
  const embedded = await openEmbedded(dataDir, {
    onWarning: (line) => void process.stderr.write(`${line}\n`),
  });
  try {
    const { current } = await readSchemaVersion(embedded.url);
    if (current === 0) await migrate(embedded.url);
    return { ...(await join(embedded.url)), stop: () => embedded.stop() };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

async function join(url: string): Promise<OpenedUrl> {
  const { current, newest, isReleased } = await readSchemaVersion(url);
  if (current > newest)
    throw new Failure(
      'schema_newer',
      `The database has schema version ${current}, this Tollgate knows up to ${newest}: use the newer release`,
    );
  if (current < newest)
    throw new Failure(
      'schema_outdated',
      `The database has schema version ${current}, this Tollgate needs ${newest}: stop the services, then run \`tollgate migrate\``,
    );
  if (!isReleased)
    throw new Failure(
      'schema_outdated',
      'The migrations of this database were never compared with the released ones: run `tollgate migrate`',
    );
  return { url, stop: () => Promise.resolve() };
}
