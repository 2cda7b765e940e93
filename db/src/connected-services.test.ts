import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { presenceName } from './connected-services.ts';
import { migrate } from './migrate.ts';
import { newestVersion, readMigrations } from './migration-files.ts';
import { listenForChanges } from './queries/catalogue/changes.ts';

describe('a migration while services are connected', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database[Symbol.asyncDispose]());

  /** The next release: this one with one more migration. */
  const next = () => {
    const version = newestVersion() + 1;
    const name = `${String(version).padStart(4, '0')}_next.sql`;
    return [...readMigrations(), { version, name, sql: 'CREATE TABLE next_table ();' }];
  };
  const connectAs = async (name: string) => {
    const sql = postgres(database.url, { max: 1, connection: { application_name: name } });
    await sql`SELECT 1`;
    return sql;
  };

  it.each(['tollgate changes', presenceName()])('is refused while "%s" is there', async (name) => {
    const service = await connectAs(name);
    try {
      await expect(migrate(database.url, { migrations: next() })).rejects.toThrow(
        'A service of an older release is connected to this database, from 127.0.0.1',
      );
      // The older service keeps working: nothing was changed, and its own release starts as before.
      expect((await migrate(database.url)).applied).toEqual([]);
      const { applied } = await migrate(database.url, { migrations: next(), whileRunning: true });
      expect(applied).toHaveLength(1);
    } finally {
      await service.end();
    }
  });

  it('is refused while a service of this release listens for changes, and runs when it has stopped', async () => {
    const stop = await listenForChanges(database.db, {
      onChange: () => undefined,
      onConnected: () => undefined,
    });
    await expect(migrate(database.url, { migrations: next() })).rejects.toThrow('older release');
    await stop();
    await expect
      .poll(async () => (await migrate(database.url, { migrations: next() }).catch(() => null)) !== null)
      .toBe(true);
  });

  it('is not held up by a service of the same or a newer release, or by the command line', async () => {
    const others = await Promise.all(
      [presenceName().replace(/schema \d+/, `schema ${newestVersion() + 1}`), 'tollgate cli'].map(connectAs),
    );
    expect((await migrate(database.url, { migrations: next() })).applied).toHaveLength(1);
    await Promise.all(others.map((sql) => sql.end()));
  });
});
