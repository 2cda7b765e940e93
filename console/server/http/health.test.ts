import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from '@tollgate/db/client';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createFaultyProxy } from '@tollgate/testing/faulty-proxy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { healthRoutes, type HealthOptions } from './health.ts';

describe('GET /readyz of the console', () => {
  let database: TestDatabase;
  let appDir: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    appDir = mkdtempSync(path.join(tmpdir(), 'tollgate-pages-'));
    writeFileSync(path.join(appDir, 'index.html'), '<!doctype html>');
  });
  afterAll(async () => {
    rmSync(appDir, { recursive: true });
    await database[Symbol.asyncDispose]();
  });

  const readiness = async (more: Partial<HealthOptions>) => {
    const response = await healthRoutes({
      db: database.db,
      appDir,
      isDraining: () => false,
      ...more,
    }).request('/readyz');
    return { code: response.status, body: await response.json() };
  };

  it('answers 200 if the database responds and the pages are built', async () => {
    expect(await readiness({})).toMatchObject({ code: 200, body: { status: 'ready' } });
  });

  it('answers 503 while it drains', async () => {
    expect(await readiness({ isDraining: () => true })).toMatchObject({
      code: 503,
      body: { status: 'draining' },
    });
  });

  it('answers 503 while the database is down', async () => {
    const db = openDatabase('postgres://missing@127.0.0.1:1/none');
    expect(await readiness({ db })).toMatchObject({ code: 503, body: { checks: { database: 'down' } } });
    await db.close();
  });

  it('answers 503 while the database does not respond', async () => {
    await using proxy = await createFaultyProxy(database.url);
    const db = openDatabase(proxy.url);
    expect(await readiness({ db })).toMatchObject({ code: 200 });
    proxy.stall();
    expect(await readiness({ db })).toMatchObject({ code: 503, body: { checks: { database: 'down' } } });
    await db.sql.end({ timeout: 0 });
  });
});
