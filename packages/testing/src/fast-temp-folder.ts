import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

export const MEMORY_DISK = '/dev/shm';
/** A cluster and the databases of the files that run concurrently need less than half of it. */
const NEEDED_BYTES = 3 * 1024 ** 3;

/** @returns the disk in memory if Linux has enough memory, else the system's temporary folder */
export function fastTempFolder(): string {
  return hasMemoryDisk() ? MEMORY_DISK : tmpdir();
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
