import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFolder } from './create-folder.ts';
import { explainFileError } from './explain/explain-file-error.ts';
import { StartFailure } from './start-failure.ts';

const LOCK_FILE = 'process.lock';
/** Describes the holder, for the error message only. */
const HOLDER_FILE = 'process.json';
/** https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

/** A database that is garbage-collected is closed, which would drop its lock. */
const held = new Set<DatabaseSync>();

/** A directory that no other process may use until it is released. */
export interface DirectoryLock {
  release(): void;
}

/** Another process holds the lock of a directory. The message says which one, and what to do. */
export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError';
}

/**
 * Makes this process the only user of a directory. The lock is SQLite's lock of an empty database file: the kernel holds
 * it, so it is atomic, ends with the process in every case, and works between containers that share a volume,
 * where process ids mean nothing.
 * @param directory created if it does not exist
 * @param advice what to do when the directory is in use; a sentence
 * @param options.mode of a directory that is created; default: for its owner only
 * @throws DirectoryInUseError; StartFailure if the directory cannot be used; Error if the file system has no locks
 */
export function lockDirectory(
  directory: string,
  advice: string,
  options: { mode?: number } = {},
): DirectoryLock {
  const file = path.join(directory, LOCK_FILE);
  const holder = path.join(directory, HOLDER_FILE);
  let database: DatabaseSync | null = null;
  try {
    createFolder(directory, options.mode ?? 0o700);
    createOnce(file);
    database = new DatabaseSync(file);
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (isBusy(error))
      throw new DirectoryInUseError(
        `${directory} is in use by another process${describeHolder(holder)}. ${advice}`,
      );
    const explained = explainFileError(error, directory);
    if (explained instanceof StartFailure) throw explained;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${directory} cannot be locked (${reason}). Use a file system that supports file locks and that this user can write.`,
      { cause: error },
    );
  }
  describeThisProcess(holder);
  const locked = database;
  held.add(locked);
  return {
    release() {
      if (!held.delete(locked)) return;
      rmSync(holder, { force: true });
      locked.close();
    },
  };
}

/** Closing a file drops the locks that this process has on it: an existing one is not opened. */
function createOnce(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

function describeThisProcess(file: string): void {
  const holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  try {
    writeFileSync(file, JSON.stringify(holder), { mode: 0o600 });
  } catch {
    // A full disk: the lock holds without its description.
  }
}

/** @returns '' if it is not known */
function describeHolder(file: string): string {
  try {
    const holder: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const { pid, host, since } = Object(holder);
    return ` (pid ${Number(pid)} on ${String(host)}, since ${String(since)})`;
  } catch {
    return '';
  }
}
