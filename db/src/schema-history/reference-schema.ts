import { randomUUID } from 'node:crypto';
import type postgres from 'postgres';
import type { Migration } from '../migration-files.ts';
import { readCatalog } from './schema-catalog.ts';

/**
 * Reads the catalog that `migrations` create on this server: they run in a temporary schema, which is rolled back.
 * @returns null when the database user may not create a schema
 */
export async function readReferenceCatalog(
  tx: postgres.TransactionSql,
  migrations: readonly Migration[],
): Promise<Map<string, string> | null> {
  const [right] = await tx<{ granted: boolean }[]>`
    SELECT has_database_privilege(current_database(), 'CREATE') AS granted`;
  if (right?.granted !== true) return null;
  const schemaName = `tollgate_reference_${randomUUID().slice(0, 8)}`;
  const read: { catalog: Map<string, string> | null } = { catalog: null };
  try {
    await tx.savepoint(async (scratch) => {
      await scratch.unsafe(`CREATE SCHEMA ${schemaName}; SET LOCAL search_path = ${schemaName}`);
      // The job queue has its own schema, which may exist in this database.
      const jobSchema = `${schemaName}_jobs`;
      for (const { sql } of migrations) await scratch.unsafe(sql.replaceAll('tollgate_jobs', jobSchema));
      read.catalog = await readCatalog(scratch, schemaName);
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  return read.catalog;
}

/** Ends a savepoint whose result was read. */
class RolledBack extends Error {}
