import { createTestDatabase } from '@tollgate/testing/database';
import postgres from 'postgres';
import { expect, it } from 'vitest';

it('refuses what is asked on a connection that the server has ended, and the process lives on', async () => {
  await using database = await createTestDatabase();
  const [doomed, admin] = [postgres(database.url, { max: 1 }), postgres(database.url, { max: 1 })];
  const connection = await doomed.reserve();
  const [row] = await connection<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  await admin`SELECT pg_terminate_backend(${row?.pid ?? 0})`;
  const refusals: unknown[] = [];
  for (let query = 0; query < 3; query++) {
    await connection`SELECT 1`.catch((error: unknown) => refusals.push(error));
  }
  expect(refusals).toHaveLength(3);
  await Promise.all([doomed.end({ timeout: 0 }), admin.end()]);
});
