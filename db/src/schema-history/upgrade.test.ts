import { createTestDatabase } from '@tollgate/testing/database';
import { isMissing } from '@tollgate/testing/missing-tool';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../migrate.ts';
import { readMigrations, type Migration } from '../migration-files.ts';
import { readHistoricSets } from './git-history.fixture.ts';
import { compareCatalogs, readCatalog } from './schema-catalog.ts';

const UPGRADE_MS = 30_000;
const history = readHistoricSets();
const lacksHistory = isMissing('the git history', history !== null, 'upgrades from earlier commits');

describe('an installation of an earlier commit', () => {
  let admin: Awaited<ReturnType<typeof createTestDatabase>>;
  let fresh: Map<string, string>;
  beforeAll(async () => {
    admin = await createTestDatabase();
    fresh = await readCatalog(admin.db.sql, 'public');
  });
  afterAll(() => admin[Symbol.asyncDispose]());

  /** @param work given an empty database */
  async function withDatabase(work: (sql: postgres.Sql, url: string) => Promise<void>): Promise<void> {
    const name = `history_${process.pid}_${Math.random().toString(36).slice(2)}`;
    await admin.db.sql.unsafe(`CREATE DATABASE ${name}`);
    const url = new URL(admin.url);
    url.pathname = `/${name}`;
    const sql = postgres(url.href, { max: 1, onnotice: () => undefined });
    try {
      await work(sql, url.href);
    } finally {
      await sql.end();
      await admin.db.sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  }

  const installable = (history ?? []).flatMap(({ commit, migrations, functions }) =>
    migrations === null ? [] : [{ commit, migrations, functions }],
  );
  it.skipIf(lacksHistory).each(installable)(
    'ends with the schema of a new one: $commit',
    { timeout: UPGRADE_MS },
    ({ migrations, functions }) =>
      withDatabase(async (sql, url) => {
        if (functions === null) await installAsThen(sql, migrations);
        else await migrate(url, { migrations, functions });
        await migrate(url);
        expect(compareCatalogs(fresh, await readCatalog(sql, 'public'))).toEqual([]);
        // Migrating again changes nothing.
        expect(await migrate(url)).toEqual({ applied: [], repaired: [], functions: [] });
      }),
  );

  it.skipIf(lacksHistory)('could not be made by a commit with two migrations of one number', () => {
    expect((history ?? []).filter(({ migrations }) => migrations === null).length).toBeGreaterThan(0);
  });

  it('is refused when its schema differs in a way without a known repair, and stays as it was', async () => {
    await withDatabase(async (sql, url) => {
      await installAsThen(sql, readMigrations());
      await sql`ALTER TABLE api_keys DROP COLUMN rpm`;
      await expect(migrate(url)).rejects.toThrow('column api_keys.rpm is missing');
      expect(await sql`SELECT 1 FROM schema_migrations WHERE checksum IS NOT NULL`).toHaveLength(0);
    });
  });

  it('may have an index and a table of the operator', async () => {
    await withDatabase(async (sql, url) => {
      await installAsThen(sql, readMigrations());
      await migrate(url);
      await sql`UPDATE schema_migrations SET checksum = NULL`;
      await sql`CREATE INDEX my_index ON audit_log (actor_user_id)`;
      await sql`CREATE TABLE my_table (id integer NOT NULL)`;
      expect(await migrate(url)).toEqual({ applied: [], repaired: [], functions: [] });
    });
  });

  it('is refused, by name, when a migration was applied with a text this release does not know', async () => {
    await withDatabase(async (sql, url) => {
      await migrate(url);
      await sql`UPDATE schema_migrations SET checksum = repeat('0', 64) WHERE version = 9`;
      await expect(migrate(url)).rejects.toThrow(
        'Migration 9 of this database (0009_payments.sql) was applied',
      );
      await sql`UPDATE schema_migrations SET name = '0009_other.sql' WHERE version = 9`;
      await expect(migrate(url)).rejects.toThrow('Migration 9 of this database is 0009_other.sql');
    });
  });
});

/** Applies migrations as releases without checksums did. */
async function installAsThen(sql: postgres.Sql, migrations: readonly Migration[]): Promise<void> {
  await sql`CREATE TABLE schema_migrations (
    version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`;
  for (const { version, name, sql: text } of migrations) {
    await sql.unsafe(text);
    await sql`INSERT INTO schema_migrations (version, name) VALUES (${version}, ${name})`;
  }
}
