import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmbedded, type EmbeddedDatabase } from './embedded.ts';
import { createFolder, type TemporaryFolder } from '../temporary-folder.fixture.ts';

/** Starts several servers. */
const TEST_MS = 90_000;

describe('a copy of a data directory whose server is running', { timeout: TEST_MS }, () => {
  let folder: TemporaryFolder;
  let live: EmbeddedDatabase;
  let dataDir: string;
  let copy: string;
  beforeEach(async () => {
    folder = createFolder();
    dataDir = path.join(folder.path, 'data');
    copy = path.join(folder.path, 'copy');
    live = await openEmbedded(dataDir);
    await query(live.url, 'CREATE TABLE money (amount integer); CHECKPOINT');
  });
  afterEach(async () => {
    await live.stop({ evenIfUsed: true });
    folder.remove();
  });

  const copyData = () => execFileSync('cp', ['-a', dataDir, copy]);

  it('gets its own server, with a warning, and the original is not written to', async () => {
    copyData();
    const warnings: string[] = [];
    const copied = await openEmbedded(copy, { onWarning: (line) => warnings.push(line) });
    try {
      expect(copied.started).toBe(true);
      expect(copied.url).not.toBe(live.url);
      await query(copied.url, 'INSERT INTO money VALUES (77)');
      expect(await query(live.url, 'SELECT amount FROM money')).toEqual([]);
      expect(warnings).toEqual([expect.stringContaining(`was copied from ${dataDir}/postgres while`)]);
      // Both can still be joined, each by its own clients.
      const again = await openEmbedded(copy);
      expect({ started: again.started, url: again.url }).toEqual({ started: false, url: copied.url });
      await again.stop();
      const original = await openEmbedded(dataDir);
      expect({ started: original.started, url: original.url }).toEqual({ started: false, url: live.url });
      await original.stop();
    } finally {
      await copied.stop({ evenIfUsed: true });
    }
    expect(await query(live.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('starts although the original was killed, and the original recovers', async () => {
    copyData();
    process.kill(
      Number(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]),
      'SIGKILL',
    );
    const copied = await openEmbedded(copy);
    await copied.stop({ evenIfUsed: true });
    const original = await openEmbedded(dataDir);
    expect(await query(original.url, 'SELECT count(*)::int AS n FROM money')).toEqual([{ n: 0 }]);
    await original.stop({ evenIfUsed: true });
  });

  it('starts if the process id in its pid file belongs to another program by now', async () => {
    copyData();
    await live.stop({ evenIfUsed: true });
    const pidFile = path.join(copy, 'postgres/postmaster.pid');
    const lines = readFileSync(pidFile, 'utf8').split('\n');
    execFileSync('sh', [
      '-c',
      'printf %s "$1" > "$0"',
      pidFile,
      [String(process.pid), ...lines.slice(1)].join('\n'),
    ]);
    const copied = await openEmbedded(copy);
    expect(copied.started).toBe(true);
    await copied.stop({ evenIfUsed: true });
  });

  it('is the original itself when the path is a link, or the folder was renamed under the server', async () => {
    symlinkSync(dataDir, copy);
    const linked = await openEmbedded(copy);
    expect(linked).toMatchObject({ started: false, url: live.url });
    await linked.stop();
    const renamed = path.join(folder.path, 'renamed');
    renameSync(dataDir, renamed);
    const moved = await openEmbedded(renamed);
    expect(moved).toMatchObject({ started: false, url: live.url });
    await moved.stop();
    renameSync(renamed, dataDir);
    expect(existsSync(path.join(dataDir, 'postgres/postmaster.pid'))).toBe(true);
  });
});

async function query(url: string, statement: string): Promise<unknown> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return [...(await sql.unsafe(statement))];
  } finally {
    await sql.end();
  }
}
