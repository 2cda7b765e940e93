import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DirectoryInUseError, lockDirectory } from './directory-lock.ts';

const MODULE = path.join(import.meta.dirname, 'directory-lock.ts');
const ADVICE = 'Use another directory.';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'directory-lock-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** A process that says `locked` or `refused`, and stays. */
async function startLocker(): Promise<{ said: string; process: ChildProcess; kill(): Promise<void> }> {
  const script = `import { lockDirectory } from ${JSON.stringify(MODULE)};
    let said = 'locked';
    try { lockDirectory(${JSON.stringify(directory)}, '${ADVICE}'); } catch { said = 'refused'; }
    console.log(said);
    setTimeout(() => undefined, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said]: unknown[] = await once(createInterface(child.stdout), 'line');
  const kill = async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return { said: String(said), process: child, kill };
}

describe('the lock of a directory', () => {
  it('refuses a second process, names the first one, and says what to do', async () => {
    const first = await startLocker();
    expect(first.said).toBe('locked');
    expect(() => lockDirectory(directory, ADVICE)).toThrow(DirectoryInUseError);
    expect(() => lockDirectory(directory, ADVICE)).toThrow(
      new RegExp(
        `${directory} is in use by another process \\(pid ${first.process.pid} on .+\\)\\. ${ADVICE}`,
      ),
    );
    await first.kill();
  });

  it('is free immediately after a SIGKILL, whatever the file says about its holder', async () => {
    const first = await startLocker();
    await first.kill();
    writeFileSync(path.join(directory, 'process.json'), JSON.stringify({ pid: process.pid }));
    const lock = lockDirectory(directory, ADVICE);
    expect(readFileSync(path.join(directory, 'process.json'), 'utf8')).toContain('since');
    lock.release();
  });

  it('is taken by exactly one of several processes that start at the same time', async () => {
    const lockers = await Promise.all(Array.from({ length: 5 }, startLocker));
    expect(lockers.map(({ said }) => said).toSorted()).toEqual([
      'locked',
      'refused',
      'refused',
      'refused',
      'refused',
    ]);
    await Promise.all(lockers.map((locker) => locker.kill()));
  });

  it('also excludes its own process, and survives refused attempts', async () => {
    const lock = lockDirectory(directory, ADVICE);
    expect(() => lockDirectory(directory, ADVICE)).toThrow(DirectoryInUseError);
    const other = await startLocker();
    expect(other.said).toBe('refused');
    await other.kill();
    lock.release();
    lockDirectory(directory, ADVICE).release();
  });

  it('keeps its files private', () => {
    const lock = lockDirectory(path.join(directory, 'inside'), ADVICE);
    const inside = path.join(directory, 'inside');
    expect(statSync(inside).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(inside))
      expect(statSync(path.join(inside, file)).mode & 0o777).toBe(0o600);
    lock.release();
  });

  it('says why a directory cannot be locked', () => {
    writeFileSync(path.join(directory, 'process.lock'), 'not a lock file of ours');
    expect(() => lockDirectory(directory, ADVICE)).toThrow(/cannot be locked \(.+\)/);
  });

  it.skipIf(process.platform !== 'linux')('refuses a directory in /proc instead of trying forever', () => {
    const program = `const { lockDirectory } = await import(${JSON.stringify(MODULE)}); lockDirectory('/proc/x', '');`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      timeout: 20_000,
      killSignal: 'SIGKILL',
    });
    expect(status).toBe(1);
    expect(stderr).toContain('/proc/x cannot be locked (ENOENT');
  });
});
