import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import {
  applyFunctions,
  compareFunctions,
  ensureFunctionRecord,
  isCurrent,
  refuseNewerFunctions,
} from './apply-functions.ts';
import { refuseOlderServices } from './connected-services.ts';
import { explainDatabaseError } from './explain/explain-database-error.ts';
import { readFunctions, type FunctionSet } from './function-files.ts';
import { computeChecksum, readMigrations, type Migration } from './migration-files.ts';
import { adoptSchema } from './schema-history/adopt-schema.ts';
import { checkApplied, ensureRecord, readApplied } from './schema-history/applied-migrations.ts';
import { StartFailure } from './start-failure.ts';

const OLDEST_SERVER = 15;
/** Longer than connecting may take. */
const ANSWER_TIMEOUT_MS = 8_000;

export interface MigrateOptions {
  /** Default: those of this checkout. */
  migrations?: readonly Migration[];
  /** Default: those of this checkout. null: functions stay as the migrations created them. */
  functions?: FunctionSet | null;
  /** Migrates although services of an older release are connected; their queries may fail afterwards. */
  whileRunning?: boolean;
}

export interface MigrateResult {
  /** Names of the migrations that were applied, in order. */
  applied: string[];
  /** Names of migrations that had been applied with an earlier text, and were brought to the released one. */
  repaired: string[];
  /** Names of the SQL functions that were created, replaced or dropped after the migrations. */
  functions: string[];
}

/**
 * Brings a database to this checkout's schema; forward only, each migration in a separate transaction, then all changed
 * functions in one. An advisory lock makes processes that start together migrate once.
 * @throws StartFailure when the server is too old, the schema or its functions are newer than this code, the schema
 * differs from what its migrations create, or services of an older release are connected
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<MigrateResult> {
  const migrations = options.migrations ?? readMigrations();
  const functions = options.functions === undefined ? readFunctions() : options.functions;
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined });
  try {
    await refuseOldServer(sql, url);
    await sql`SELECT pg_advisory_lock(hashtext('tollgate migrations'))`;
    const before = await readApplied(sql);
    const isReleased = checkApplied(before, migrations);
    const pending = migrations.slice(before.length);
    const hasChanged = functions !== null && (await checkFunctions(sql, functions));
    const isPending = !isReleased || pending.length > 0 || hasChanged;
    if (before.length > 0 && isPending && options.whileRunning !== true)
      await refuseOlderServices(sql, { schema: migrations.length, functions: functions?.revision ?? 0 });
    await ensureRecord(sql);
    const repaired = isReleased ? [] : await adoptSchema(sql, before, migrations);
    for (const migration of pending) await apply(sql, migration);
    const replaced = functions === null ? [] : await replaceFunctions(sql, functions);
    return { applied: pending.map((migration) => migration.name), repaired, functions: replaced };
  } catch (error) {
    throw explainDatabaseError(error, url);
  } finally {
    // Ends the session, and with it the lock.
    await sql.end({ timeout: 5 });
  }
}

/** @returns true if functions must be replaced @throws StartFailure when they are of a newer release */
async function checkFunctions(sql: postgres.Sql, functions: FunctionSet): Promise<boolean> {
  const state = await compareFunctions(sql, functions);
  refuseNewerFunctions(state, functions);
  return !isCurrent(state, functions);
}

async function replaceFunctions(sql: postgres.Sql, functions: FunctionSet): Promise<string[]> {
  await ensureFunctionRecord(sql);
  return applyFunctions(sql, functions);
}

async function apply(sql: postgres.Sql, { version, name, sql: text }: Migration): Promise<void> {
  await sql.begin(async (tx) => {
    await tx.unsafe(text);
    await tx`INSERT INTO schema_migrations (version, name, checksum) VALUES (${version}, ${name}, ${computeChecksum(text)})`;
  });
}

export interface SchemaState {
  /** 0: a database without tables of ours. */
  current: number;
  /** Of this checkout. */
  newest: number;
  /** False when a migration was applied with an earlier text, or before checksums were stored. */
  isReleased: boolean;
  /** SQL functions: `newer` if another release changed them, `outdated` if they are not those of this checkout. */
  functions: 'current' | 'outdated' | 'newer';
}

/**
 * Compares the schema of a database with this checkout's, and changes nothing.
 * @throws StartFailure when the database cannot be reached, or has a migration that this checkout does not know
 */
export async function readSchemaVersion(url: string): Promise<SchemaState> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined });
  try {
    const applied = await readApplied(sql);
    const migrations = readMigrations();
    const current = applied.at(-1)?.version ?? 0;
    const isReleased = current > migrations.length || checkApplied(applied, migrations);
    return { current, newest: migrations.length, isReleased, functions: await readFunctionState(sql) };
  } catch (error) {
    throw explainDatabaseError(error, url);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function readFunctionState(sql: postgres.Sql): Promise<SchemaState['functions']> {
  const functions = readFunctions();
  const state = await compareFunctions(sql, functions);
  if (state.revision > functions.revision) return 'newer';
  return isCurrent(state, functions) ? 'current' : 'outdated';
}

async function refuseOldServer(sql: postgres.Sql, url: string): Promise<void> {
  const rows = await Promise.race([
    sql<{ major: number }[]>`SELECT current_setting('server_version_num')::int / 10000 AS major`,
    sleep(ANSWER_TIMEOUT_MS, null, { ref: false }),
  ]);
  if (rows === null)
    throw new StartFailure(
      `What listens at ${new URL(url).host} does not respond like PostgreSQL`,
      'Check the host and port in DATABASE_URL.',
    );
  const major = rows[0]?.major ?? 0;
  if (major < OLDEST_SERVER)
    throw new StartFailure(
      `PostgreSQL ${major} is too old: Tollgate needs ${OLDEST_SERVER} or newer`,
      'Upgrade the server, or set DATABASE_URL to a newer one.',
    );
}
