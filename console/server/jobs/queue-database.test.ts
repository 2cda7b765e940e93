import { openDatabase } from '@tollgate/db/client';
import { createTestDatabase } from '@tollgate/testing/database';
import { expect, it } from 'vitest';
import { createQueueDatabase } from './queue-database.ts';

/** A type that no query of the console reads. */
const MACADDR = 829;

it.each([
  ['fails', 'SELECT 1 / 0', 'division by zero'],
  [
    'waits too long for a lock',
    "SET LOCAL lock_timeout = 50; UPDATE models SET id = 'other'",
    'lock timeout',
  ],
])('a transaction that %s leaves every connection of the pool usable', async (_what, statements, message) => {
  await using database = await createTestDatabase();
  const { sql } = database.db;
  await sql`INSERT INTO models (id) VALUES ('one')`;
  const held = await sql.reserve();
  await held.unsafe("BEGIN; SELECT id FROM models WHERE id = 'one' FOR UPDATE");
  const queue = createQueueDatabase(database.db);
  await expect(queue.executeSql(`BEGIN; ${statements}; COMMIT`)).rejects.toThrow(message);
  await held.unsafe('COMMIT');
  held.release();
  // More than the pool has connections.
  const ask = async () => (await sql<{ one: number }[]>`SELECT 1 AS one, pg_sleep(0.01)`)[0]?.one;
  expect(await Promise.all(Array.from({ length: 50 }, ask))).toEqual(Array.from({ length: 50 }, () => 1));
  expect(await queue.executeSql('BEGIN; SELECT 2 AS two; COMMIT')).toEqual({ rows: [{ two: 2 }] });
});

it('continues after a transaction that loses its connection', async () => {
  await using database = await createTestDatabase();
  // A connection that is not usable again would leave the pool without any.
  const pool = openDatabase(database.db.url, { maxConnections: 1 });
  const { sql } = pool;
  const queue = createQueueDatabase(pool);
  const lost = queue.executeSql('BEGIN; SELECT pg_terminate_backend(pg_backend_pid()); COMMIT');
  await expect(lost).rejects.toThrow(/terminating connection|CONNECTION_CLOSED/);
  // postgres.js may report the loss again to the first query that opens the connection anew.
  const ask = async () => (await sql<{ one: number }[]>`SELECT 1 AS one, pg_sleep(0.01)`)[0]?.one;
  await Promise.allSettled(Array.from({ length: 50 }, ask));
  expect(await Promise.all(Array.from({ length: 50 }, ask))).toEqual(Array.from({ length: 50 }, () => 1));
  expect(await queue.executeSql('BEGIN; SELECT 2 AS two; COMMIT')).toEqual({ rows: [{ two: 2 }] });
  await pool.close();
});

it('keeps no connection after an error of the driver', async () => {
  await using database = await createTestDatabase();
  const { sql } = database.db;
  const { parsers } = sql.options as { parsers: Record<number, (text: string) => unknown> };
  const queue = createQueueDatabase(database.db);
  parsers[MACADDR] = () => {
    throw new RangeError('not readable');
  };
  // More than the pool has connections.
  const ask = () => queue.executeSql("BEGIN; SELECT '08:00:2b:01:02:03'::macaddr; COMMIT");
  for (let tries = 0; tries < 15; tries++) await expect(ask()).rejects.toThrow('not readable');
  delete parsers[MACADDR];
  const answers = Array.from({ length: 50 }, () => queue.executeSql('BEGIN; SELECT 2 AS two; COMMIT'));
  expect(await Promise.all(answers)).toEqual(Array.from({ length: 50 }, () => ({ rows: [{ two: 2 }] })));
});
