import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { API_ENVIRONMENT } from '@tollgate/core/runtime/api-node-flags';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { createTestDatabase } from '@tollgate/testing/database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDataDir, type DataDir } from '../testing/data-dir.ts';
import { isUp, startInstallation } from '../testing/start-installation.ts';

/** The first start builds the console. */
const START_MS = 90_000;

describe('npm start', () => {
  let dataDir: DataDir;
  let apiPort: number;
  let consolePort: number;
  beforeEach(async () => {
    dataDir = createDataDir();
    [apiPort, consolePort] = [await findFreePort(), await findFreePort()];
  });
  afterEach(() => dataDir.remove());

  const start = (variables: Record<string, string> = {}) =>
    startInstallation({
      DATA_DIR: dataDir.path,
      API_PORT: String(apiPort),
      CONSOLE_PORT: String(consolePort),
      ...variables,
    });

  it('starts everything, greets, and stops in order on SIGTERM', { timeout: START_MS }, async () => {
    const { child, exited, said, stderr, greeted } = start();
    await greeted();
    expect([await isUp(apiPort), await isUp(consolePort)]).toEqual([true, true]);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(said()).toContain(`API      http://127.0.0.1:${apiPort}/v1`);
    expect(said()).toContain(`http://127.0.0.1:${consolePort}/sign-up?operator=`);
    const [link = ''] = /http\S+\/dev\/open\?token=\S+/.exec(said()) ?? [];
    expect(link).toContain(`http://127.0.0.1:${consolePort}/dev/open?token=`);
    expect(said()).toContain(`curl http://127.0.0.1:${apiPort}/v1/chat/completions`);
    expect(said()).toContain(`DATA_DIR=${dataDir.path} npm run -s tollgate -- key create`);
    expect(await stderr).toBe('');
    expect(await isUp(apiPort)).toBe(false);
    expect(existsSync(path.join(dataDir.path, 'postgres/postmaster.pid'))).toBe(false);
  });

  it.each(['api/dist/main.mjs', 'console/server/main.ts'])(
    'restarts %s after a kill and keeps the rest running',
    { timeout: START_MS },
    async (file) => {
      const { child, exited, stderr, greeted } = start();
      await greeted();
      const findPid = () => Number(execFileSync('pgrep', ['-P', String(child.pid), '-f', file]).toString());
      const killedPid = findPid();
      process.kill(killedPid, 'SIGKILL');
      const port = file.startsWith('api') ? apiPort : consolePort;
      await expect.poll(() => isUp(port), { timeout: 20_000 }).toBe(false);
      await expect.poll(() => isUp(port), { timeout: 20_000, interval: 100 }).toBe(true);
      const pid = findPid();
      expect(pid).not.toBe(killedPid);
      if (file.startsWith('api') && existsSync('/proc/self/environ')) {
        const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
        expect(variables).toEqual(
          expect.arrayContaining(Object.entries(API_ENVIRONMENT).map((entry) => entry.join('='))),
        );
      }
      child.kill('SIGTERM');
      expect(await exited).toBe(0);
      expect(await stderr).toMatch(/^The (api|console) exited \(SIGKILL\)\. Restarting in 0\.5 s\./);
    },
  );

  it('names every port in use and its setting before starting anything', async () => {
    const others = [apiPort, consolePort].map((port) => createServer().listen(port, '127.0.0.1'));
    try {
      const { exited, said, stderr } = start();
      expect(await exited).toBe(1);
      expect(await stderr).toBe(
        `Port ${apiPort} is already in use. Stop the process on this port, or change API_PORT.\n` +
          `Port ${consolePort} is already in use. Stop the process on this port, or change CONSOLE_PORT.\n`,
      );
      expect(said()).toBe('');
      expect(existsSync(path.join(dataDir.path, 'postgres'))).toBe(false);
    } finally {
      for (const other of others) other.close();
    }
  });

  it(
    'rejects a wrong configuration before it migrates an external database, in one go',
    { timeout: START_MS },
    async () => {
      await using database = await createTestDatabase();
      // An older release uses it.
      await database.db
        .sql`DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)`;
      const before = await database.db.sql`SELECT * FROM schema_migrations ORDER BY version`;
      const { exited, said, stderr } = start({
        DATABASE_URL: database.url,
        ENCRYPTION_KEY: '',
        SMTP_URL: '',
        LOG_LEVEL: 'loud',
        DRAIN_TIMEOUT_MS: 'soon',
      });
      expect(await exited).toBe(1);
      const lines = (await stderr).trimEnd().split('\n');
      expect(lines[0]).toMatch(/^The configuration has \d errors\. Nothing was started or changed\./);
      const variables = lines.slice(1).map((line) => line.trim().split(' ')[0]);
      expect(variables).toEqual(
        expect.arrayContaining(['LOG_LEVEL', 'ENCRYPTION_KEY', 'SMTP_URL', 'DRAIN_TIMEOUT_MS']),
      );
      expect(new Set(variables).size).toBe(variables.length);
      expect(said()).toBe('');
      expect(await database.db.sql`SELECT * FROM schema_migrations ORDER BY version`).toEqual(before);
    },
  );
});
