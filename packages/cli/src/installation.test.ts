import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '@tollgate/db/client';
import { openEmbedded } from '@tollgate/db/embedded/embedded';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnTollgate, type Tollgate } from './testing/run-tollgate.ts';
import { createDataDir, type DataDir } from './testing/data-dir.ts';

describe('commands on an embedded database', () => {
  let dataDir: DataDir;
  let tollgate: Tollgate;
  beforeAll(() => {
    dataDir = createDataDir();
    tollgate = spawnTollgate({ DATA_DIR: dataDir.path, ENCRYPTION_KEY: '' });
  });
  afterAll(() => dataDir.remove());

  const isRunning = () => existsSync(path.join(dataDir.path, 'postgres/postmaster.pid'));

  it('doctor reports a missing database without creating it', async () => {
    const { code, stdout } = await tollgate('doctor');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^warn {2}Database +none in .* yet: create it with `npm start`/m);
    expect(existsSync(path.join(dataDir.path, 'postgres'))).toBe(false);
  });

  it('create, migrate and stop the database if it is not running', async () => {
    await tollgate.json('account create --email you@example.com --verified');
    expect(isRunning()).toBe(false);
    expect(await tollgate.json('account list')).toMatchObject({ accounts: [{ email: 'you@example.com' }] });
    expect(isRunning()).toBe(false);
  });

  it('join a running database and leave it running', async () => {
    const embedded = await openEmbedded(dataDir.path);
    try {
      expect(embedded.started).toBe(true);
      expect(await tollgate.json('account show --email you@example.com')).toMatchObject({ keys: 0 });
      expect(isRunning()).toBe(true);
    } finally {
      await embedded.stop();
    }
    expect(isRunning()).toBe(false);
  });

  it('do not migrate a database that an older release may use', async () => {
    const embedded = await openEmbedded(dataDir.path);
    const db = openDatabase(embedded.url, { maxConnections: 1 });
    const { sql } = db;
    try {
      const [last] = await sql`DELETE FROM schema_migrations
        WHERE version = (SELECT max(version) FROM schema_migrations) RETURNING *`;
      const { code, stderr } = await tollgate('account list --json');
      expect({ code, error: JSON.parse(stderr) }).toMatchObject({
        code: 1,
        error: { error: { code: 'schema_outdated' } },
      });
      expect(stderr).toContain('tollgate migrate');
      await sql`INSERT INTO schema_migrations ${sql(last ?? {})}`;
      await sql`INSERT INTO schema_migrations (version, name) VALUES (9999, '9999_future.sql')`;
      expect((await tollgate('account list')).stderr).toContain('Use a newer release');
      await sql`DELETE FROM schema_migrations WHERE version = 9999`;
    } finally {
      await db.close();
      await embedded.stop();
    }
  });

  it('work on a copy of a running database without changing the original', { timeout: 60_000 }, async () => {
    const embedded = await openEmbedded(dataDir.path);
    const copy = `${dataDir.path}-copy`;
    const before = await tollgate.json('account show --email you@example.com');
    try {
      execFileSync('cp', ['-a', dataDir.path, copy]);
      const copied = spawnTollgate({ DATA_DIR: copy, ENCRYPTION_KEY: '' });
      const { code, stderr } = await copied(
        'account credit --email you@example.com --amount 77 --reason test',
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('was copied from') });
      expect(await tollgate.json('account show --email you@example.com')).toEqual(before);
      expect(await copied.json('account show --email you@example.com')).not.toEqual(before);
    } finally {
      await embedded.stop();
      rmSync(copy, { recursive: true, force: true });
    }
  });

  it('encrypt credentials with the stored key', async () => {
    await tollgate.json(
      'provider add --name p --dialect openai-chat --base-url http://127.0.0.1:9/v1 --api-key secret',
    );
    const { stdout } = await tollgate('doctor');
    expect(stdout).toMatch(/^ok {4}Credentials +1 stored credential decrypted$/m);
  });
});
