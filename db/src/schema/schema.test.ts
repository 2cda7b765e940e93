import { readdirSync } from 'node:fs';
import { getTableColumns, is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { createTestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const files = readdirSync(import.meta.dirname).filter((file) => !file.endsWith('.test.ts'));
const modules = await Promise.all(files.map((file): Promise<object> => import(`./${file}`)));
const tables = modules
  .flatMap((module): unknown[] => Object.values(module))
  .filter((value) => is(value, PgTable));

describe('the Drizzle schema', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it.each(tables.map((table) => [getTableConfig(table).name, table] as const))(
    'has the columns of the migrated table %s',
    async (name, table) => {
      const actual = await database.db.sql<{ column: string; required: boolean; type: string }[]>`
        SELECT attname AS column, attnotnull AS required, format_type(atttypid, atttypmod) AS type
        FROM pg_attribute WHERE attrelid = ${name}::regclass AND attnum > 0 AND NOT attisdropped`;
      const declared = Object.values(getTableColumns(table)).map((column) => ({
        column: column.name,
        required: column.notNull,
        type: column.getSQLType(),
      }));
      const byColumn = (a: { column: string }, b: { column: string }) => a.column.localeCompare(b.column);
      expect(declared.toSorted(byColumn)).toEqual([...actual].toSorted(byColumn));
    },
  );

  it('covers every table of the database', async () => {
    const rows = await database.db.sql<{ name: string }[]>`
      SELECT relname AS name FROM pg_class
      WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace`;
    const declared = new Set(tables.map((table) => getTableConfig(table).name));
    expect(
      rows
        .map((row) => row.name)
        .filter((name) => !declared.has(name))
        .toSorted(),
    ).toEqual(['schema_functions', 'schema_migrations']);
  });
});
