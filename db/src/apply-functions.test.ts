import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { presenceName } from './connected-services.ts';
import { functionRevision, readFunctions, type FunctionSet } from './function-files.ts';
import { migrate, readSchemaVersion } from './migrate.ts';
import { newestVersion } from './migration-files.ts';

const own = readFunctions();

/** The next release: these files in place of the ones with their names. */
function releaseWith(files: Record<string, string>, removed: readonly string[] = []): FunctionSet {
  const kept = own.functions.filter(({ name }) => !(name in files) && !removed.includes(name));
  const changed = Object.entries(files).map(([name, sql]) => ({ name, sql }));
  return { revision: own.revision + 1, functions: [...kept, ...changed], removed };
}

const OPEN_BALANCE = (comment: string) => `CREATE OR REPLACE FUNCTION open_balance() RETURNS trigger
  LANGUAGE plpgsql AS $$ BEGIN
    -- ${comment}
    INSERT INTO balances (account_id) VALUES (NEW.id);
    RETURN NULL;
  END $$;`;
const PARTITIONS = (head: string) => `CREATE OR REPLACE FUNCTION ensure_request_partitions${head}
  LANGUAGE plpgsql AS $$ BEGIN END $$;`;

describe('the SQL functions of a release', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database[Symbol.asyncDispose]());

  /** Every function of the database, with a version that changes when it is replaced. */
  const readVersions = async () => {
    const rows = await database.db.sql<{ signature: string; version: string }[]>`
      SELECT oid::regprocedure::text AS signature, oid || ' ' || xmin AS version FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace ORDER BY 1`;
    return new Map(rows.map(({ signature, version }) => [signature, version]));
  };
  const readSource = async (name: string) => {
    const rows = await database.db.sql<
      { source: string }[]
    >`SELECT prosrc AS source FROM pg_proc WHERE proname = ${name}`;
    return rows.map(({ source }) => source).join();
  };
  const apply = (functions: FunctionSet) => migrate(database.url, { functions });

  it('are all in db/functions: a migration alone creates none', async () => {
    const names = [...(await readVersions()).keys()].map((signature) => signature.replace(/\(.*/, ''));
    expect(names.toSorted()).toEqual(own.functions.map(({ name }) => name));
  });

  it('stay untouched as long as no file changes', async () => {
    const before = await readVersions();
    expect((await migrate(database.url)).functions).toEqual([]);
    expect(await readVersions()).toEqual(before);
  });

  it('are replaced once when their file changes, and the others stay untouched', async () => {
    const before = await readVersions();
    const next = releaseWith({ open_balance: OPEN_BALANCE('changed') });
    expect((await apply(next)).functions).toEqual(['open_balance']);
    const after = await readVersions();
    expect([...after].filter(([signature, version]) => before.get(signature) !== version)).toEqual([
      ['open_balance()', expect.any(String)],
    ]);
    expect((await apply(next)).functions).toEqual([]);
    expect(await readVersions()).toEqual(after);
    expect(await readSource('open_balance')).toContain('changed');
  });

  it('keep their privileges and triggers when they are replaced', async () => {
    const { sql } = database.db;
    await sql`REVOKE EXECUTE ON FUNCTION open_balance() FROM PUBLIC`;
    await apply(releaseWith({ open_balance: OPEN_BALANCE('changed') }));
    const [row] = await sql`SELECT proacl IS NOT NULL AS restricted,
      (SELECT count(*)::int FROM pg_trigger WHERE tgfoid = p.oid) AS triggers FROM pg_proc p WHERE proname = 'open_balance'`;
    expect(row).toEqual({ restricted: true, triggers: 1 });
  });

  it.each([
    ['arguments', '(months_ahead integer, months_back integer) RETURNS void', 'integer,integer'],
    ['argument names', '(months integer) RETURNS void', 'integer'],
  ])('leave no second function when their %s change', async (_, head, args) => {
    const next = releaseWith({ ensure_request_partitions: PARTITIONS(head) });
    await apply(next);
    const found = [...(await readVersions()).keys()].filter((name) => name.startsWith('ensure_request'));
    expect(found).toEqual([`ensure_request_partitions(${args})`]);
    expect((await apply(next)).functions).toEqual([]);
  });

  it('are restored if one was changed or dropped in the database', async () => {
    const { sql } = database.db;
    const before = await readSource('open_balance');
    await sql.unsafe(OPEN_BALANCE('by hand'));
    await sql`DROP FUNCTION ensure_request_partitions`;
    expect((await readSchemaVersion(database.url)).functions).toBe('outdated');
    expect((await migrate(database.url)).functions).toEqual(['ensure_request_partitions', 'open_balance']);
    expect(await readSource('open_balance')).toBe(before);
    expect((await readSchemaVersion(database.url)).functions).toBe('current');
  });

  it('are dropped when a release removes their file', async () => {
    const next = releaseWith({}, ['ensure_request_partitions']);
    expect((await apply(next)).functions).toEqual(['ensure_request_partitions']);
    expect((await apply(next)).functions).toEqual([]);
    expect(await readSource('ensure_request_partitions')).toBe('');
  });

  it('are not dropped while a trigger needs them, and nothing else changes then', async () => {
    const before = await readVersions();
    const next = releaseWith({ ensure_request_partitions: PARTITIONS('() RETURNS void') }, ['open_balance']);
    await expect(apply(next)).rejects.toThrow('other objects depend on it');
    expect(await readVersions()).toEqual(before);
  });

  it('stay as they are if one of the new files fails, which is named', async () => {
    const before = await readVersions();
    const files = {
      ensure_request_partitions: PARTITIONS('() RETURNS void'),
      open_balance: 'CREATE nothing',
    };
    await expect(apply(releaseWith(files))).rejects.toThrow('db/functions/open_balance.sql: syntax error');
    await expect(apply(releaseWith({ open_balance: 'SELECT 1', refuse: 'SELECT 1' }))).rejects.toThrow(
      'db/functions/refuse.sql: it does not create a function of this name',
    );
    expect(await readVersions()).toEqual(before);
  });

  it('are replaced once if five services start at the same time', async () => {
    const next = releaseWith({ open_balance: OPEN_BALANCE('changed') });
    const results = await Promise.all(Array.from({ length: 5 }, () => apply(next)));
    expect(results.flatMap(({ functions }) => functions)).toEqual(['open_balance']);
  });

  it('are not overwritten by an older release, which does not start', async () => {
    await apply(releaseWith({ open_balance: OPEN_BALANCE('newer') }));
    await expect(migrate(database.url)).rejects.toThrow(
      `The database has the SQL functions of a newer release (revision ${own.revision + 1})`,
    );
    await expect(migrate(database.url, { whileRunning: true })).rejects.toThrow('newer release');
    expect(await readSource('open_balance')).toContain('newer');
    expect((await readSchemaVersion(database.url)).functions).toBe('newer');
  });

  it('are not overwritten by an older release after a newer one removed a function', async () => {
    await apply(releaseWith({}, ['ensure_request_partitions']));
    await expect(migrate(database.url)).rejects.toThrow('newer release');
  });

  it('are not changed while a service of an older release is connected', async () => {
    const next = releaseWith({ open_balance: OPEN_BALANCE('changed') });
    for (const name of [presenceName(), `tollgate changes, schema ${newestVersion()}`]) {
      const service = postgres(database.url, { max: 1, connection: { application_name: name } });
      await service`SELECT 1`;
      await expect(apply(next)).rejects.toThrow('A service of an older release is connected');
      await service.end();
    }
    const newer = `tollgate changes, schema ${newestVersion()}, functions ${functionRevision() + 1}`;
    const service = postgres(database.url, { max: 1, connection: { application_name: newer } });
    await service`SELECT 1`;
    await expect.poll(async () => (await apply(next).catch(() => null))?.functions).toEqual(['open_balance']);
    await service.end();
  });
});
