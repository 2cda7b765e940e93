import postgres from 'postgres';
import { refuseOlderServices } from './connected-services.ts';
import { checksumOf, newestVersion, readMigrations, type Migration } from './migration-files.ts';
import { adoptSchema } from './schema-history/adopt-schema.ts';
import { checkApplied, ensureRecord, readApplied } from './schema-history/applied-migrations.ts';

const OLDEST_SERVER = 15;

export interface MigrateOptions {
  /** Default: those of this checkout. */
  migrations?: readonly Migration[];
  /** Migrates although services of an older release are connected; what they do may fail from then on. */
  whileRunning?: boolean;
}

export interface MigrateResult {
  /** Names of the migrations that were applied, in order. */
  applied: string[];
  /** Names of migrations that had been applied with an earlier text, and were brought to the released one. */
  repaired: string[];
}

/**
 * Brings a database to this checkout's schema; forward only, each migration in a transaction of its own.
 * An advisory lock makes processes that start together migrate once.
 * @throws Error when the server is too old, the schema is newer than this code or not the one that its migrations
 * create, or services of an older release are connected
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<MigrateResult> {
  const migrations = options.migrations ?? readMigrations();
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined });
  try {
    await refuseOldServer(sql);
    await sql`SELECT pg_advisory_lock(hashtext('tollgate migrations'))`;
    const before = await readApplied(sql);
    const isReleased = checkApplied(before, migrations);
    const pending = migrations.slice(before.length);
    if (before.length > 0 && (!isReleased || pending.length > 0) && options.whileRunning !== true)
      await refuseOlderServices(sql, migrations.length);
    await ensureRecord(sql);
    const repaired = isReleased ? [] : await adoptSchema(sql, before, migrations);
    for (const migration of pending) await apply(sql, migration);
    return { applied: pending.map((migration) => migration.name), repaired };
  } finally {
    // Ends the session, and with it the lock.
    await sql.end();
  }
}

async function apply(sql: postgres.Sql, { version, name, sql: text }: Migration): Promise<void> {
  await sql.begin(async (tx) => {
    await tx.unsafe(text);
    await tx`INSERT INTO schema_migrations (version, name, checksum) VALUES (${version}, ${name}, ${checksumOf(text)})`;
  });
}

/** How the schema of a database compares with this checkout's; `current` is 0 for a database without tables of ours. */
export async function readSchemaVersion(url: string): Promise<{ current: number; newest: number }> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined });
  try {
    const [row] = await sql<
      { exists: boolean }[]
    >`SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`;
    const current = row?.exists === true ? await readVersion(sql) : 0;
    return { current, newest: newestVersion() };
  } finally {
    await sql.end();
  }
}

async function readVersion(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<
    { version: number }[]
  >`SELECT coalesce(max(version), 0) AS version FROM schema_migrations`;
  return row?.version ?? 0;
}

async function refuseOldServer(sql: postgres.Sql): Promise<void> {
  const [row] = await sql<
    { major: number }[]
  >`SELECT current_setting('server_version_num')::int / 10000 AS major`;
  const major = row?.major ?? 0;
  if (major < OLDEST_SERVER)
    throw new Error(
      `PostgreSQL ${major} is too old: Tollgate needs ${OLDEST_SERVER} or newer\nUpgrade the server, or set DATABASE_URL to a newer one.`,
    );
}
