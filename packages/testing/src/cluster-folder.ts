import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const MEMORY_DISK = '/dev/shm';
/** The cluster and the databases of the files that run concurrently need less than half of it. */
const NEEDED_BYTES = 3 * 1024 ** 3;
/** The process id of the test run is in the name. */
const FOLDER = /^tollgate-test-(\d+)-/;

/**
 * Creates the folder of the tests' PostgreSQL server: in memory if Linux has enough, because there a new database
 * costs a fraction of the processor time, else in the system's temporary folder.
 */
export function createClusterFolder(): string {
  if (process.platform === 'linux') removeInterrupted(MEMORY_DISK);
  return mkdtempSync(path.join(hasMemoryDisk() ? MEMORY_DISK : tmpdir(), `tollgate-test-${process.pid}-`));
}

function hasMemoryDisk(): boolean {
  if (process.platform !== 'linux' || process.availableMemory() < 2 * NEEDED_BYTES) return false;
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

/** Stops the servers of interrupted runs and removes their folders, which would keep the memory until a restart. */
function removeInterrupted(parent: string): void {
  for (const name of listFolders(parent)) {
    const run = Number(FOLDER.exec(name)?.[1]);
    if (Number.isNaN(run) || isRunning(run)) continue;
    const folder = path.join(parent, name);
    try {
      const cluster = path.join(folder, 'postgres');
      const server = Number(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
      if (realpathSync(`/proc/${server}/cwd`) === cluster) process.kill(server, 'SIGQUIT');
    } catch {
      // No server runs there.
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function listFolders(parent: string): string[] {
  try {
    return readdirSync(parent);
  } catch {
    return [];
  }
}

/** Processes of other users are running too. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
