import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { lockDirectory } from '@tollgate/db/directory-lock';
import { createTestDatabase } from '@tollgate/testing/database';
import { createHttp1Transport } from '@tollgate/upstreams/transport/http1/http1-transport';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { openApiDeps } from './deps.ts';

it.each([
  ['the first step', 'DROP SCHEMA public CASCADE'],
  ['the catalogue', 'ALTER TABLE models RENAME TO elsewhere'],
  ['the ledger', 'ALTER TABLE replicas RENAME TO elsewhere'],
])('closes what it opened when %s fails', async (_step, damage) => {
  await using database = await createTestDatabase();
  const { sql } = database.db;
  await sql.unsafe(damage);
  const spoolDirectory = mkdtempSync(path.join(tmpdir(), 'deps-'));
  try {
    const opening = openApiDeps({
      databaseUrl: database.url,
      encryptionKey: randomBytes(32).toString('base64'),
      spoolDirectory,
      log: pino({ level: 'silent' }),
      http: createHttp1Transport(),
    });
    await expect(opening).rejects.toThrow(/does not exist|Failed query/);
    // Another instance can start in the same process, and no connection stays open.
    lockDirectory(spoolDirectory, 'x').release();
    const connections = () =>
      sql`SELECT application_name FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    await expect.poll(async () => (await connections()).length, { timeout: 5_000 }).toBe(0);
    expect(readdirSync(spoolDirectory)).toEqual(['process.lock']);
  } finally {
    rmSync(spoolDirectory, { recursive: true, force: true });
  }
});
