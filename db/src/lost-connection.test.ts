import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '@tollgate/testing/database';
import postgres from 'postgres';
import { expect, it } from 'vitest';

it('rejects queries on a connection that the server has ended, and the process keeps running', async () => {
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

it('keeps running if the server ends a connection that is reading the types of arrays', async () => {
  await using database = await createTestDatabase();
  const url = new URL(database.url);
  const { port, hostname } = url;
  let cuts = 0;
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    client.on('error', () => undefined).pipe(server);
    server.on('error', () => undefined).pipe(client);
    client.on('data', (bytes) => {
      if (cuts > 0 || !bytes.includes('typcategory')) return;
      cuts += 1;
      client.destroy();
      server.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  url.port = String((proxy.address() as AddressInfo).port);
  const sql = postgres(url.href, { max: 1, backoff: false });
  // A rejected promise without a handler would end the process, and fails the run of the tests.
  void sql.reserve().catch(() => undefined);
  await expect.poll(() => cuts).toBe(1);
  await sleep(200);
  await sql.end({ timeout: 0 });
  proxy.close();
});

it('leaves no connection open if it ends while it connects again', async () => {
  let isRefusing = true;
  let accepted = 0;
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    accepted += 1;
    open.add(
      socket
        .resume()
        .on('error', () => undefined)
        .on('close', () => open.delete(socket)),
    );
    if (isRefusing) socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (let round = 0; round < 30; round++) {
    isRefusing = true;
    accepted = 0;
    const sql = postgres({ host: '127.0.0.1', port, max: 1 });
    const query = sql`SELECT 1`.catch((error: unknown) => error);
    await expect.poll(() => accepted, { interval: 1 }).toBeGreaterThan(1);
    isRefusing = false;
    await sql.end({ timeout: 0 });
    expect(await query).toMatchObject({ code: expect.stringMatching(/^CONNECTION_(?:DESTROYED|ENDED)$/) });
  }
  await sleep(100);
  expect(open.size).toBe(0);
  server.close();
});
