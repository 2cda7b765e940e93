import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const MEMORY_DISK = '/dev/shm';
/** The cluster and the databases of the files that run concurrently need less than half of it. */
const NEEDED_BYTES = 3 * 1024 ** 3;

/**
 * Creates the folder of the tests' PostgreSQL server: in memory if Linux has enough, because there a new database
 * costs a fraction of the processor time, else in the system's temporary folder.
 */
export function createClusterFolder(): string {
  return mkdtempSync(path.join(hasMemoryDisk() ? MEMORY_DISK : tmpdir(), 'tollgate-test-'));
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
