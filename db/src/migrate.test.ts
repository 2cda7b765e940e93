import { createTestDatabase } from '@tollgate/testing/database';
import postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { migrate, readSchemaVersion } from './migrate.ts';
import { readMigrations } from './migration-files.ts';

/** A server of the machine, if one is offered: the embedded one is always the newest. */
const EXTERNAL_URL = process.env['TEST_DATABASE_URL'];

async function withEmptyDatabase(serverUrl: string, work: (url: string) => Promise<void>): Promise<void> {
  const name = `tollgate_migrate_${process.pid}_${Date.now()}`;
  const admin = postgres(serverUrl, { max: 1, onnotice: () => undefined });
  await admin.unsafe(`CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  try {
    await work(url.href);
  } finally {
    await admin.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
}

async function migrateFromFiveAtOnce(url: string): Promise<void> {
  const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(url)));
  expect(applied.flatMap((result) => result.applied)).toEqual(
    readMigrations().map((migration) => migration.name),
  );
  const { current, newest } = await readSchemaVersion(url);
  expect(current).toBe(newest);
}

describe('migrate', () => {
  it('migrates once if five processes start at the same time', async () => {
    await using database = await createTestDatabase();
    await withEmptyDatabase(database.url, migrateFromFiveAtOnce);
  });

  it.skipIf(EXTERNAL_URL === undefined)('migrates the PostgreSQL of TEST_DATABASE_URL', async () => {
    await withEmptyDatabase(EXTERNAL_URL ?? '', migrateFromFiveAtOnce);
  });

  it('refuses a schema newer than the code', async () => {
    await using database = await createTestDatabase();
    await database.db.sql`INSERT INTO schema_migrations (version, name) VALUES (9999, '9999_future.sql')`;
    await expect(migrate(database.url)).rejects.toThrow('schema version 9999');
  });

  it('rolls back a migration that fails', async () => {
    await using database = await createTestDatabase();
    const { newest } = await readSchemaVersion(database.url);
    const broken = { version: newest + 1, name: 'broken.sql', sql: 'CREATE TABLE half (); SELECT 1 / 0;' };
    await expect(migrate(database.url, { migrations: [...readMigrations(), broken] })).rejects.toThrow(
      'division by zero',
    );
    expect((await readSchemaVersion(database.url)).current).toBe(newest);
    const [half] = await database.db.sql<
      { found: boolean }[]
    >`SELECT to_regclass('half') IS NOT NULL AS found`;
    expect(half?.found).toBe(false);
  });
});

describe('the migration of providers', () => {
  it('turns the two built-in providers into presets, and leaves the others as they are', async () => {
    await using database = await createTestDatabase();
    await withEmptyDatabase(database.url, async (url) => {
      await migrate(url, { migrations: readMigrations().slice(0, 1), functions: null });
      const sql = postgres(url, { max: 1 });
      await sql`INSERT INTO providers (id, name, dialect, base_url) VALUES
        ('p1', 'openai', 'openai-chat', 'https://api.openai.com/v1'),
        ('p2', 'anthropic', 'anthropic-messages', 'https://api.anthropic.com/v1'),
        ('p3', 'own', 'openai-chat', 'https://llm.example.com/v1'),
        ('p4', 'demo', 'demo', NULL)`;
      await migrate(url);
      const rows =
        await sql`SELECT id, preset, settings, total_timeout_ms AS total FROM providers ORDER BY id`;
      await sql.end();
      const untouched = { settings: {}, total: null };
      expect([...rows]).toEqual([
        { id: 'p1', preset: 'openai', ...untouched },
        { id: 'p2', preset: 'anthropic', ...untouched },
        { id: 'p3', preset: null, ...untouched },
        { id: 'p4', preset: null, ...untouched },
      ]);
    });
  });
});
