import postgres from 'postgres';
import { expect, it } from 'vitest';
import { startPostgres } from './postgres-server.ts';

it('keeps what was committed, and nothing else, when the server is killed', { timeout: 60_000 }, async () => {
  await using server = await startPostgres();
  const sql = postgres(server.url, { max: 2, onnotice: () => undefined });
  await sql`CREATE TABLE kept (n integer)`;
  await sql`INSERT INTO kept VALUES (1)`;
  const open = await sql.reserve();
  await open`BEGIN`;
  await open`INSERT INTO kept VALUES (2)`;
  await server.kill();
  await expect(sql`SELECT 1`).rejects.toThrow(/connect/i);
  await server.start();
  expect(await sql`SELECT n FROM kept`).toEqual([{ n: 1 }]);
  await sql.end({ timeout: 1 });
});
