import type postgres from 'postgres';
import { computeChecksum, type Migration } from '../migration-files.ts';
import { SCHEMA_REPAIRS } from './repairs.ts';
import { StartFailure } from '../start-failure.ts';

/** A migration as the database records it. */
export interface AppliedMigration {
  version: number;
  name: string;
  /** Of the text that was applied; null when it was applied before checksums were stored. */
  checksum: string | null;
}

/** Creates the record of migrations, or adds the column that an earlier release's record lacks. */
export async function ensureRecord(sql: postgres.Sql): Promise<void> {
  const [found] = await sql<{ has_checksum: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM pg_attribute
      WHERE attrelid = to_regclass('schema_migrations') AND attname = 'checksum') AS has_checksum`;
  // A database user that owns nothing can start a service, as long as no migration is pending.
  if (found?.has_checksum === true) return;
  await sql`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(), checksum text)`;
  await sql`ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS checksum text`;
}

/** Applied migrations, in order; empty for a new database. */
export async function readApplied(sql: postgres.Sql): Promise<AppliedMigration[]> {
  const [found] = await sql<
    { exists: boolean }[]
  >`SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`;
  if (found?.exists !== true) return [];
  return sql<AppliedMigration[]>`
    SELECT version, name, to_jsonb(m) ->> 'checksum' AS checksum FROM schema_migrations m ORDER BY version`;
}

/**
 * Compares the applied migrations with this release's.
 * @returns true when all texts are known to be the released ones; false when `adoptSchema` must check the schema
 * @throws Error that names the migration that differs without a known repair, or a schema newer than this release
 */
export function checkApplied(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): boolean {
  const newest = migrations.length;
  const current = applied.at(-1)?.version ?? 0;
  if (current > newest) throw newerSchema(current, newest);
  let isReleased = true;
  for (const [index, row] of applied.entries()) {
    const released = migrations[index];
    if (released === undefined || row.version !== released.version)
      throw differentMigration(index + 1, `is recorded as ${row.version}`);
    if (row.name !== released.name)
      throw differentMigration(row.version, `is ${row.name}, in this release ${released.name}`);
    if (row.checksum === computeChecksum(released.sql)) continue;
    const isKnown = SCHEMA_REPAIRS.some(
      ({ migration, checksums }) => migration === row.name && checksums.includes(row.checksum ?? ''),
    );
    if (row.checksum !== null && !isKnown)
      throw differentMigration(
        row.version,
        `(${row.name}) was applied with a text this release does not know`,
      );
    isReleased = false;
  }
  return isReleased;
}

function differentMigration(version: number, difference: string): StartFailure {
  return new StartFailure(
    `Migration ${version} of this database ${difference}`,
    'Use the release that last migrated this database, or restore a backup. Nothing was changed.',
  );
}

function newerSchema(current: number, newest: number): StartFailure {
  return new StartFailure(
    `The database has schema version ${current}, this release knows versions up to ${newest}`,
    'Use the newer release: a schema is never downgraded.',
  );
}
