import { readdirSync, readFileSync } from 'node:fs';
import postgres from 'postgres';

const MIGRATIONS_DIR = new URL('../migrations/', import.meta.url);
const FILE_PATTERN = /^(\d{4})_[a-z0-9_]+\.sql$/;
const OLDEST_SERVER = 15;

export interface Migration {
  version: number;
  name: string;
  sql: string;
}

/** The migrations of this checkout, in order. */
export function readMigrations(): Migration[] {
  return readdirSync(MIGRATIONS_DIR)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file, index) => {
      const version = Number(FILE_PATTERN.exec(file)?.[1]);
      if (version !== index + 1)
        throw new Error(`db/migrations/${file} is out of order: expected version ${index + 1}`);
      return { version, name: file, sql: readFileSync(new URL(file, MIGRATIONS_DIR), 'utf8') };
    });
}

/**
 * Brings a database to this checkout's schema; forward only, each migration in a transaction of its own.
 * An advisory lock makes processes that start together migrate once.
 * @returns the names of the migrations that were applied, empty where the schema was up to date
 * @throws Error where the server is too old or the schema is newer than this code
 */
export async function migrate(url: string, migrations = readMigrations()): Promise<string[]> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined });
  try {
    await refuseOldServer(sql);
    await sql`SELECT pg_advisory_lock(hashtext('tollgate migrations'))`;
    await sql`
      CREATE TABLE IF NOT EXISTS schema_migrations (
        version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`;
    const current = await readVersion(sql);
    const newest = migrations.at(-1)?.version ?? 0;
    if (current > newest) throw newerSchema(current, newest);
    const pending = migrations.filter((migration) => migration.version > current);
    for (const migration of pending) {
      await sql.begin(async (tx) => {
        await tx.unsafe(migration.sql);
        await tx`INSERT INTO schema_migrations (version, name) VALUES (${migration.version}, ${migration.name})`;
      });
    }
    return pending.map((migration) => migration.name);
  } finally {
    // Ends the session, and with it the lock.
    await sql.end();
  }
}

/** How the schema of a database compares with this checkout's. */
export async function readSchemaVersion(url: string): Promise<{ current: number; newest: number }> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined });
  try {
    const [row] = await sql<
      { exists: boolean }[]
    >`SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`;
    const current = row?.exists === true ? await readVersion(sql) : 0;
    return { current, newest: readMigrations().at(-1)?.version ?? 0 };
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
    throw new Error(`PostgreSQL ${major} is too old: Tollgate needs ${OLDEST_SERVER} or newer`);
}

function newerSchema(current: number, newest: number): Error {
  return new Error(
    `The database has schema version ${current}, this Tollgate knows up to ${newest}: start the newer release, it never goes back`,
  );
}
