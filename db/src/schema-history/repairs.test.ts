import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../migrate.ts';
import { compareCatalogs, readCatalog } from './schema-catalog.ts';

/** The differences of the earlier texts, made in a database with data, so that no git history is needed. */
describe('the repair of an edited migration', () => {
  let database: TestDatabase;
  let released: Map<string, string>;
  beforeEach(async () => {
    database = await createTestDatabase();
    released = await readCatalog(database.db.sql, 'public');
    await database.db.sql`UPDATE schema_migrations SET checksum = NULL`;
  });
  afterEach(() => database[Symbol.asyncDispose]());

  const expectReleased = async () =>
    expect(compareCatalogs(released, await readCatalog(database.db.sql, 'public'))).toEqual([]);

  it('assigns holds to their replica, so that orphaned holds are found again', async () => {
    const { sql } = database.db;
    await sql`INSERT INTO accounts (id, name) VALUES ('acct_1', 'a')`;
    await sql`INSERT INTO api_keys (id, account_id, name, hash, prefix, last4)
      VALUES ('key_1', 'acct_1', 'k', decode(repeat('00', 32), 'hex'), 'sk-0000', '0000')`;
    const startedAt = new Date().toISOString();
    await sql`INSERT INTO requests (id, started_at, account_id, key_id, endpoint, model, streamed, state, replica_id, status, latency_ms)
      VALUES ('req_1', ${startedAt}, 'acct_1', 'key_1', '/v1/chat/completions', 'm', false, 'held', 'replica_1', 0, 0)`;
    await sql`ALTER TABLE held_requests DROP COLUMN replica_id`;
    await sql`ALTER TABLE held_requests RESET (vacuum_truncate)`;
    await sql`INSERT INTO held_requests (id, started_at) VALUES ('req_1', ${startedAt})`;
    await sql`CREATE OR REPLACE FUNCTION ensure_request_partitions(months_ahead integer) RETURNS void
      LANGUAGE plpgsql AS 'BEGIN END'`;

    expect((await migrate(database.url)).repaired).toEqual(['0027_held_requests.sql']);
    expect([...(await sql`SELECT id, replica_id FROM held_requests`)]).toEqual([
      { id: 'req_1', replica_id: 'replica_1' },
    ]);
    await expectReleased();
  });

  it('recomputes daily sums of usage, with their response times', async () => {
    const { sql } = database.db;
    await sql`ALTER TABLE usage_key_daily DROP COLUMN latency_counts, DROP COLUMN first_byte_counts`;
    await sql`INSERT INTO usage_key_daily VALUES ('acct_1', now(), 'key_1', 'm', 1, 0, 1, 0, 0, 0, 1, 5)`;
    await sql`UPDATE usage_rolled SET until = now()`;
    expect((await migrate(database.url)).repaired).toEqual(['0023_quick_lists.sql']);
    expect([...(await sql`SELECT until = 'epoch' AS again FROM usage_rolled`)]).toEqual([{ again: true }]);
    expect(await sql`SELECT 1 FROM usage_key_daily`).toHaveLength(0);
    await expectReleased();
  });

  it('is refused, with the missing privilege, if the user cannot create the reference schema', async () => {
    const { sql } = database.db;
    const role = `limited_${process.pid}`;
    await sql.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'limited'`);
    const name = new URL(database.url).pathname.slice(1);
    try {
      await sql`ALTER TABLE held_requests DROP COLUMN replica_id`;
      await sql.unsafe(`
        DO $own$ DECLARE t regclass; BEGIN
          FOR t IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') LOOP
            EXECUTE format('ALTER TABLE %s OWNER TO ${role}', t);
          END LOOP;
        END $own$;`);
      const url = new URL(database.url);
      url.username = role;
      url.password = 'limited';
      await expect(migrate(url.href)).rejects.toThrow('GRANT CREATE ON DATABASE');
      await sql.unsafe(
        `REASSIGN OWNED BY ${role} TO CURRENT_USER; REVOKE ALL ON DATABASE ${name} FROM ${role}`,
      );
    } finally {
      await sql.unsafe(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });
});
