import type postgres from 'postgres';
import { listRecordedFunctions } from '../apply-functions.ts';
import { computeChecksum, type Migration } from '../migration-files.ts';
import { SCHEMA_REPAIRS, type SchemaRepair } from './repairs.ts';
import { readReferenceCatalog } from './reference-schema.ts';
import { compareCatalogs, readCatalog, type CatalogDifference } from './schema-catalog.ts';
import type { AppliedMigration } from './applied-migrations.ts';
import { StartFailure } from '../start-failure.ts';

const SHOWN_DIFFERENCES = 5;
/** An index, a table, a view or a function of the operator's own changes nothing for Tollgate. */
const HARMLESS_EXTRAS = /^(index|table|function|sequence|type|partitions) /;

/**
 * Brings a database whose migrations are not all known to be the released ones to the released schema of its version:
 * repairs known differences, replaces functions, compares the result with what the migrations create, and stores the
 * checksums. Runs in one transaction, which the error rolls back.
 * @param applied what the database stores, checked by `checkApplied`
 * @returns the names of the migrations that were repaired
 * @throws Error that names the differences without a known repair
 */
export async function adoptSchema(
  sql: postgres.Sql,
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): Promise<string[]> {
  const released = migrations.slice(0, applied.length);
  return sql.begin(async (tx) => {
    const repaired: string[] = [];
    for (const repair of SCHEMA_REPAIRS) {
      if (!(await isNeeded(tx, repair, applied))) continue;
      await tx.unsafe(repair.repair);
      repaired.push(repair.migration);
    }
    const expected = await readReferenceCatalog(tx, released);
    if (expected !== null) await matchReference(tx, await withoutFunctionFiles(tx, expected));
    else if (repaired.length > 0) throw missingRight(repaired);
    for (const migration of released)
      await tx`UPDATE schema_migrations SET checksum = ${computeChecksum(migration.sql)} WHERE version = ${migration.version}`;
    return repaired;
  });
}

async function isNeeded(
  tx: postgres.TransactionSql,
  repair: SchemaRepair,
  applied: readonly AppliedMigration[],
): Promise<boolean> {
  const row = applied.find(({ name }) => name === repair.migration);
  if (row === undefined) return false;
  if (repair.lastVersion !== null && applied.length > repair.lastVersion) return false;
  if (row.checksum !== null) return repair.checksums.includes(row.checksum);
  const [found] = await tx.unsafe<{ is_applied: boolean }[]>(`SELECT ${repair.isApplied} AS is_applied`);
  return found?.is_applied === true;
}

/** Functions that were applied from their files may differ from what the migrations create; they are compared later. */
async function withoutFunctionFiles(
  tx: postgres.TransactionSql,
  expected: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const names = new Set(await listRecordedFunctions(tx));
  return new Map([...expected].filter(([object]) => !names.has(/^function (\w+)\(/.exec(object)?.[1] ?? '')));
}

async function matchReference(
  tx: postgres.TransactionSql,
  expected: ReadonlyMap<string, string>,
): Promise<void> {
  const [row] = await tx<{ name: string }[]>`SELECT current_schema() AS name`;
  const schemaName = row?.name ?? 'public';
  const before = await readCatalog(tx, schemaName);
  for (const [object, definition] of expected)
    if (definition.startsWith('CREATE OR REPLACE') && before.get(object) !== definition)
      await tx.unsafe(definition);
  const differences = compareCatalogs(expected, await readCatalog(tx, schemaName)).filter(matters(expected));
  if (differences.length > 0) throw unknownDifferences(differences);
}

function matters(expected: ReadonlyMap<string, string>): (difference: CatalogDifference) => boolean {
  const tables = new Set([...expected.keys()].filter((object) => object.startsWith('table ')));
  return ({ object, state }) => {
    if (state !== 'extra') return true;
    if (HARMLESS_EXTRAS.test(object)) return false;
    // Part of a table that is the operator's own.
    const table = /^\w+ ([^.]+)\./.exec(object)?.[1];
    return table === undefined || tables.has(`table ${table}`);
  };
}

function unknownDifferences(differences: readonly CatalogDifference[]): StartFailure {
  const shown = differences.slice(0, SHOWN_DIFFERENCES).map(({ object, state }) => `${object} is ${state}`);
  const more = differences.length - shown.length;
  return new StartFailure(
    `The database schema differs from the one its migrations create: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    'Undo these changes, or restore a backup, then start again. Nothing was changed.',
  );
}

function missingRight(repaired: readonly string[]): StartFailure {
  return new StartFailure(
    `The database has an earlier version of ${repaired.join(', ')} applied, and its user may not repair it`,
    'Run `GRANT CREATE ON DATABASE … TO …` for the user of DATABASE_URL, start again, then revoke it.',
  );
}
