import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEmbedded } from './embedded.ts';
import { readEmbeddedSecrets } from './embedded-secrets.ts';

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'tollgate-embedded-'));
  chmodSync(dataDir, 0o755);
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const isRunning = () => existsSync(path.join(dataDir, 'postgres', 'postmaster.pid'));

it('starts once for several concurrent processes, keeps its data, and is stopped by the last one out', async () => {
  const [first, second] = await Promise.all([openEmbedded(dataDir), openEmbedded(dataDir)]);
  expect(first.started).toBe(!second.started);
  expect(first.url).toBe(second.url);
  const sql = postgres(first.url, { max: 1 });
  await sql`CREATE TABLE kept (id integer)`;
  await sql.end();
  await (first.started ? first : second).stop();
  expect(isRunning()).toBe(true);
  await (first.started ? second : first).stop();
  expect(isRunning()).toBe(false);

  const again = await openEmbedded(dataDir);
  expect(again.started).toBe(true);
  const sqlAgain = postgres(again.url, { max: 1 });
  expect(await sqlAgain`SELECT count(*)::int AS n FROM kept`).toEqual([{ n: 0 }]);
  await sqlAgain.end();
  await again.stop();
});

it('stops the server although connections take a moment to end', async () => {
  const server = await openEmbedded(dataDir);
  const sql = postgres(server.url, { max: 1 });
  await sql`SELECT 1`;
  const stopping = server.stop();
  await sleep(200);
  expect(isRunning()).toBe(true);
  await sql.end();
  await stopping;
  expect(isRunning()).toBe(false);
});

it('stops the server while clients use it if evenIfUsed is set', async () => {
  const server = await openEmbedded(dataDir);
  const sql = postgres(server.url, { max: 1 });
  await sql`SELECT 1`;
  await server.stop({ evenIfUsed: true });
  expect(isRunning()).toBe(false);
  await sql.end();
});

it('makes its secrets once, readable by the owner only', () => {
  const secrets = readEmbeddedSecrets(dataDir);
  expect(readEmbeddedSecrets(dataDir)).toEqual(secrets);
  expect(Buffer.from(secrets.encryptionKey, 'base64')).toHaveLength(32);
  expect(statSync(path.join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
});
