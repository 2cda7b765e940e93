import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { isMissing } from '@tollgate/testing/missing-tool';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRunnable, loadBinaries, runAs } from './embedded-programs.ts';
import { findPostgresUser } from './embedded-user.ts';
import { openEmbedded } from './embedded.ts';
import { createFolder, type TemporaryFolder } from '../temporary-folder.fixture.ts';

const isRoot = process.getuid?.() === 0;

/** Starts several servers. */
const TEST_MS = 90_000;

describe.skipIf(isMissing('the user root', isRoot, 'folders that only root can enter'))(
  'root in a folder that only root can enter',
  { timeout: TEST_MS },
  () => {
    let home: TemporaryFolder;
    let system: TemporaryFolder;
    let dataDir: string;
    let systemFolder: string;
    beforeEach(() => {
      home = createFolder(0o700);
      system = createFolder();
      dataDir = path.join(home.path, 'checkout/.data');
      systemFolder = path.join(system.path, 'tollgate');
    });
    afterEach(() => {
      home.remove();
      system.remove();
    });

    const insert = async (url: string, statement: string) => {
      const sql = postgres(url, { max: 1, onnotice: () => undefined });
      const rows = await sql.unsafe(statement);
      await sql.end();
      return [...rows];
    };

    it('creates a database in the system folder, and finds it again', async () => {
      const before = process.umask(0o077);
      try {
        const first = await openEmbedded(dataDir, { systemFolder });
        await insert(first.url, 'CREATE TABLE kept (id integer)');
        const joined = await openEmbedded(dataDir, { systemFolder });
        expect(joined).toMatchObject({ started: false, url: first.url });
        await joined.stop();
        await first.stop();
      } finally {
        process.umask(before);
      }
      expect(existsSync(path.join(dataDir, 'postgres'))).toBe(false);
      const { cluster } = JSON.parse(readFileSync(path.join(dataDir, 'postgres.json'), 'utf8'));
      expect(cluster).toMatch(`${systemFolder}/checkout-`);
      expect(statSync(cluster).mode & 0o777).toBe(0o700);
      const again = await openEmbedded(dataDir, { systemFolder });
      expect(await insert(again.url, 'SELECT count(*)::int AS n FROM kept')).toEqual([{ n: 0 }]);
      await again.stop();
    });

    it('refuses a copy, whose database is the original’s, and follows a folder that was moved', async () => {
      await (await openEmbedded(dataDir, { systemFolder })).stop();
      const copy = path.join(home.path, 'copy');
      execFileSync('cp', ['-a', dataDir, copy]);
      await expect(openEmbedded(copy, { systemFolder })).rejects.toThrow(`${copy} is a copy of ${dataDir}`);
      rmSync(copy, { recursive: true });
      const moved = path.join(home.path, 'moved');
      renameSync(dataDir, moved);
      const server = await openEmbedded(moved, { systemFolder });
      await server.stop();
      expect(JSON.parse(readFileSync(path.join(moved, 'postgres.json'), 'utf8'))).toMatchObject({
        dataDir: moved,
      });
    });

    it('says what to do when the database was made before the folder was closed', async () => {
      const open = path.join(system.path, 'open/data');
      mkdirSync(open, { recursive: true });
      await (await openEmbedded(open, { systemFolder })).stop();
      const closed = path.join(home.path, 'data');
      renameSync(open, closed);
      await expect(openEmbedded(closed, { systemFolder })).rejects.toThrow(
        /runs as user postgres, who cannot enter that folder\nMove the data/,
      );
    });

    it('runs the programs of a checkout that only root can enter from a copy', async () => {
      const binaries = await loadBinaries();
      const root = path.resolve(path.dirname(binaries.postgres), '..');
      const closed = path.join(home.path, 'native');
      cpSync(root, closed, { recursive: true, verbatimSymlinks: true });
      const at = (program: string) => path.join(closed, path.relative(root, program));
      const user = findPostgresUser();
      const found = await findRunnable(
        { initdb: at(binaries.initdb), pg_ctl: at(binaries.pg_ctl), postgres: at(binaries.postgres) },
        user,
        systemFolder,
      );
      expect(found.initdb).toMatch(systemFolder);
      expect((await runAs(user, found.initdb, ['--version'])).exitCode).toBe(0);
    });
  },
);
