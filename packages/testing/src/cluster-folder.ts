import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fastTempFolder, MEMORY_DISK } from './fast-temp-folder.ts';

/** The process id of the test run is in the name. */
const FOLDER = /^tollgate-test-(\d+)-/;

/**
 * Creates the folder of the tests' PostgreSQL server: in memory if Linux has enough, because there a new database
 * costs a fraction of the processor time, else in the system's temporary folder.
 */
export function createClusterFolder(): string {
  if (process.platform === 'linux') removeInterrupted(MEMORY_DISK);
  return mkdtempSync(path.join(fastTempFolder(), `tollgate-test-${process.pid}-`));
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
