import postgres from 'postgres';
import type { FunctionSet, SqlFunction } from './function-files.ts';
import { computeChecksum } from './migration-files.ts';
import { ROUTINE_DEFINITION } from './schema-history/schema-catalog.ts';
import { StartFailure } from './start-failure.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const INVALID_FUNCTION_DEFINITION = '42P13';

/** A function as the database records it. */
interface AppliedFunction {
  name: string;
  checksum: string;
  revision: number;
  /** False: the function was changed or dropped without a release. */
  isIntact: boolean;
}

/** The functions of a database, compared with those of a release. */
export interface FunctionState {
  /** 0: no release that has function files was started on the database. */
  revision: number;
  /** Functions that must be created or replaced. */
  changed: readonly SqlFunction[];
  /** Names of functions that must be dropped. */
  dropped: readonly string[];
}

/** Compares the functions of a database with those of a release, and changes nothing. */
export async function compareFunctions(
  sql: postgres.Sql | postgres.TransactionSql,
  { functions, removed }: FunctionSet,
): Promise<FunctionState> {
  const applied = await readAppliedFunctions(sql);
  const intact = new Map(applied.map((row) => [row.name, row.isIntact ? row.checksum : null]));
  const names = new Set(functions.map(({ name }) => name));
  const superfluous = applied.map(({ name }) => name).filter((name) => !names.has(name));
  return {
    revision: applied.reduce((revision, row) => Math.max(revision, row.revision), 0),
    changed: functions.filter((file) => intact.get(file.name) !== computeChecksum(file.sql)),
    dropped: await listExisting(sql, [...superfluous, ...removed]),
  };
}

/** True if `applyFunctions` has nothing to do. */
export function isCurrent(state: FunctionState, { revision }: FunctionSet): boolean {
  return state.changed.length === 0 && state.dropped.length === 0 && state.revision >= revision;
}

/** @throws StartFailure when a newer release has changed the functions */
export function refuseNewerFunctions(state: FunctionState, { revision }: FunctionSet): void {
  if (state.revision <= revision) return;
  throw new StartFailure(
    `The database has the SQL functions of a newer release (revision ${state.revision}), this release knows revisions up to ${revision}`,
    'Use the newer release: functions are never downgraded.',
  );
}

/** Creates the record of applied functions. */
export async function ensureFunctionRecord(sql: postgres.Sql): Promise<void> {
  if (await hasRecord(sql)) return;
  await sql`
    CREATE TABLE IF NOT EXISTS schema_functions (
      name text PRIMARY KEY, checksum text NOT NULL, definition text NOT NULL, revision integer NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now())`;
}

/**
 * Brings the functions of a migrated database to those of a release, in one transaction. Functions that are the same
 * already are not touched.
 * @returns names of the functions that were created, replaced or dropped
 * @throws Error that names the file; nothing is changed then
 */
export async function applyFunctions(sql: postgres.Sql, set: FunctionSet): Promise<string[]> {
  return sql.begin(async (tx) => {
    const state = await compareFunctions(tx, set);
    if (isCurrent(state, set)) return [];
    for (const name of state.dropped) await dropRoutines(tx, await listSignatures(tx, name));
    for (const file of state.changed) await replace(tx, file);
    const names = set.functions.map(({ name }) => name);
    await tx`DELETE FROM schema_functions WHERE name <> ALL (${names})`;
    await tx`UPDATE schema_functions SET revision = ${set.revision}`;
    await record(tx, state.changed, set.revision);
    return [...state.changed.map(({ name }) => name), ...state.dropped].toSorted();
  });
}

async function record(
  tx: postgres.TransactionSql,
  functions: readonly SqlFunction[],
  revision: number,
): Promise<void> {
  const names = functions.map(({ name }) => name);
  const checksums = functions.map((file) => computeChecksum(file.sql));
  await tx`
    INSERT INTO schema_functions (name, checksum, definition, revision)
    SELECT i.name, i.checksum, ${getDefinition(tx, tx`i.name`)}, ${revision}
    FROM unnest(${names}::text[], ${checksums}::text[]) AS i(name, checksum)
    ON CONFLICT (name) DO UPDATE SET checksum = excluded.checksum, definition = excluded.definition,
      revision = excluded.revision, applied_at = excluded.applied_at`;
}

/** Replaces a function where it is, so that its privileges and triggers stay. Other arguments or another result need a new one. */
async function replace(tx: postgres.TransactionSql, { name, sql: text }: SqlFunction): Promise<void> {
  const before = await listSignatures(tx, name);
  try {
    await tx.savepoint((attempt) => attempt.unsafe(text));
    const after = await listSignatures(tx, name);
    if (after.length === 0) throw new Error('it does not create a function of this name');
    if (after.length > before.length) await dropRoutines(tx, before);
  } catch (error) {
    if (!isOtherResult(error)) throw nameFile(name, error);
    await dropRoutines(tx, before);
    await tx.unsafe(text);
  }
}

function isOtherResult(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === INVALID_FUNCTION_DEFINITION;
}

/** Keeps the class and the code of a database error, by which it is explained. */
function nameFile(name: string, error: unknown): unknown {
  if (error instanceof Error) error.message = `db/functions/${name}.sql: ${error.message}`;
  return error;
}

async function dropRoutines(tx: postgres.TransactionSql, signatures: readonly string[]): Promise<void> {
  for (const signature of signatures) await tx.unsafe(`DROP ROUTINE ${signature}`);
}

/** `settle_requests(settlement[])`, of every function of the name. */
async function listSignatures(tx: postgres.TransactionSql, name: string): Promise<string[]> {
  const rows = await tx<{ signature: string }[]>`
    SELECT oid::regprocedure::text AS signature FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace AND proname = ${name}`;
  return rows.map(({ signature }) => signature);
}

async function listExisting(
  sql: postgres.Sql | postgres.TransactionSql,
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const rows = await sql<{ name: string }[]>`
    SELECT DISTINCT proname AS name FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace AND proname = ANY (${names}) ORDER BY 1`;
  return rows.map(({ name }) => name);
}

async function readAppliedFunctions(sql: postgres.Sql | postgres.TransactionSql): Promise<AppliedFunction[]> {
  if (!(await hasRecord(sql))) return [];
  return sql<AppliedFunction[]>`
    SELECT f.name, f.checksum, f.revision, f.definition IS NOT DISTINCT FROM ${getDefinition(sql, sql`f.name`)} AS "isIntact"
    FROM schema_functions f`;
}

/** Names of the functions that were applied from their files. */
export async function listRecordedFunctions(sql: postgres.TransactionSql): Promise<string[]> {
  if (!(await hasRecord(sql))) return [];
  const rows = await sql<{ name: string }[]>`SELECT name FROM schema_functions`;
  return rows.map(({ name }) => name);
}

async function hasRecord(sql: postgres.Sql | postgres.TransactionSql): Promise<boolean> {
  const [found] = await sql<
    { exists: boolean }[]
  >`SELECT to_regclass('schema_functions') IS NOT NULL AS exists`;
  return found?.exists === true;
}

/** SQL for a hash of the function as the server has it; NULL if there is none. */
function getDefinition(
  sql: postgres.Sql | postgres.TransactionSql,
  name: postgres.PendingQuery<postgres.Row[]>,
) {
  return sql`(
    SELECT md5(string_agg(${sql.unsafe(ROUTINE_DEFINITION)}, ' ' ORDER BY p.oid::regprocedure::text))
    FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace AND p.proname = ${name})`;
}
