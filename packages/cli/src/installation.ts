import { computeKeyCheck } from '@tollgate/auth/encryption-key';
import { createSealer, type Sealer } from '@tollgate/auth/seal';
import { openDatabase, type Database } from '@tollgate/db/client';
import { openEmbedded } from '@tollgate/db/embedded/embedded';
import { hasEmbeddedCluster } from '@tollgate/db/embedded/embedded-place';
import { readEmbeddedSecrets, secretsPath } from '@tollgate/db/embedded/embedded-secrets';
import { migrate, readSchemaVersion } from '@tollgate/db/migrate';
import { withKeyCheck, wrongEncryptionKey } from '@tollgate/db/queries/keys/key-check';
import type { CliEnv } from './env.ts';
import { Failure } from './failure.ts';

/** The database and encryption key that a command uses. */
export interface Installation {
  db: Database;
  /** Seals and opens credentials under ENCRYPTION_KEY. */
  sealer: () => Sealer;
}

type Work<T> = (installation: Installation) => Promise<T>;

/**
 * Runs `work` on the database at DATABASE_URL, otherwise on the embedded one in DATA_DIR. If the embedded database
 * is stopped, it runs only for this call.
 * @throws Failure if there is no database, it is unreachable or its schema does not match
 */
export async function withInstallation<T>(env: CliEnv, work: Work<T>): Promise<T> {
  if (env.DATABASE_URL === undefined && !hasEmbeddedCluster(env.DATA_DIR)) throw noInstallation(env);
  return withNewInstallation(env, work);
}

/** The error of a command that needs an installation, for a folder without one. */
export function noInstallation({ DATA_DIR }: CliEnv): Failure {
  return new Failure(
    'no_database',
    `There is no installation in ${DATA_DIR}. Start one with \`npm start\`, or set DATA_DIR or DATABASE_URL to an existing one.`,
  );
}

/** Like `withInstallation`, but creates the embedded database if DATA_DIR has none: for commands that add the first data. */
export async function withNewInstallation<T>(env: CliEnv, work: Work<T>): Promise<T> {
  const { url, stop } =
    env.DATABASE_URL === undefined ? await openEmbeddedUrl(env.DATA_DIR) : await join(env.DATABASE_URL);
  try {
    const db = openDatabase(url, { maxConnections: 1, applicationName: 'tollgate cli' });
    try {
      const isMatching = await isMatchingKey(env, url);
      return await work({
        db,
        sealer: () => {
          const sealer = createSealer(readEncryptionKey(env));
          if (!isMatching) throw wrongEncryptionKey(keySource(env));
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
 * Reads ENCRYPTION_KEY, or the key of the embedded database.
 * @throws Failure if DATABASE_URL is set and ENCRYPTION_KEY is not
 */
export function readEncryptionKey(env: CliEnv): string {
  if (env.ENCRYPTION_KEY !== undefined) return env.ENCRYPTION_KEY;
  if (env.DATABASE_URL === undefined) return readEmbeddedSecrets(env.DATA_DIR).encryptionKey;
  throw new Failure(
    'encryption_key_missing',
    'ENCRYPTION_KEY is not set. Set it to the key that the API and the console use.',
  );
}

/** @returns true also if no key is set: commands that encrypt nothing need none */
async function isMatchingKey(env: CliEnv, url: string): Promise<boolean> {
  if (env.DATABASE_URL !== undefined && env.ENCRYPTION_KEY === undefined) return true;
  const key = readEncryptionKey(env);
  return withKeyCheck(url, async (check) => {
    const stored = await check.read();
    return stored === null || stored.equals(computeKeyCheck(key));
  });
}

/** Names the source of the encryption key, for messages. */
export function keySource(env: CliEnv): string {
  return env.ENCRYPTION_KEY === undefined ? secretsPath(env.DATA_DIR) : 'ENCRYPTION_KEY';
}

interface OpenedUrl {
  url: string;
  stop: () => Promise<void>;
}

/** Migrates only a newly created database: an older release may be using an existing one. */
async function openEmbeddedUrl(dataDir: string): Promise<OpenedUrl> {
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
  const { current, newest, isReleased, functions } = await readSchemaVersion(url);
  if (current > newest)
    throw new Failure(
      'schema_newer',
      `The database has schema version ${current}, but this release supports up to ${newest}. Use a newer release.`,
    );
  if (current < newest)
    throw new Failure(
      'schema_outdated',
      `The database has schema version ${current}, but this release needs ${newest}. Stop the services, then run \`tollgate migrate\`.`,
    );
  if (!isReleased)
    throw new Failure(
      'schema_outdated',
      'The migrations of this database were never compared with the released ones. Run `tollgate migrate`.',
    );
  if (functions === 'newer')
    throw new Failure(
      'schema_newer',
      'The database has the SQL functions of a newer release. Use a newer release.',
    );
  if (functions === 'outdated')
    throw new Failure(
      'schema_outdated',
      'The SQL functions of this database are not those of this release. Stop the services, then run `tollgate migrate`.',
    );
  return { url, stop: () => Promise.resolve() };
}
