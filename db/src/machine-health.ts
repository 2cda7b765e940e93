import { readdir, readFile, statfs } from 'node:fs/promises';

const MIB = 1024 * 1024;
/** Below this an installation should get more room soon. */
const LOW_DISK_BYTES = 512 * MIB;
/** Below this settlements can no longer be kept safely. */
const FULL_DISK_BYTES = 32 * MIB;
/** More than this share of the file handles in use is close to the limit. */
const HIGH_HANDLES_SHARE = 0.9;

export interface MachineCheck {
  state: 'ok' | 'low' | 'exhausted' | 'unknown';
  /** `ok: 12.3 GiB free` */
  detail: string;
}

/** How much room is left on the disk of a folder. */
export async function checkDisk(folder: string): Promise<MachineCheck> {
  try {
    const { bavail, bsize, ffree, files } = await statfs(folder);
    const freeBytes = bavail * bsize;
    const free = `${(freeBytes / (1024 * MIB)).toFixed(1)} GiB free`;
    // Some file systems do not count inodes: both are 0.
    if (files > 0 && ffree === 0) return { state: 'exhausted', detail: 'full: no inodes left' };
    if (freeBytes < FULL_DISK_BYTES) return { state: 'exhausted', detail: `full: ${free}` };
    return freeBytes < LOW_DISK_BYTES
      ? { state: 'low', detail: `low: ${free}` }
      : { state: 'ok', detail: `ok: ${free}` };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { state: 'unknown', detail: `unknown: ${reason}` };
  }
}

/** How many of its file handles this process uses. Only Linux says so. */
export async function checkFileHandles(): Promise<MachineCheck> {
  try {
    const [limits, open] = await Promise.all([
      readFile('/proc/self/limits', 'utf8'),
      readdir('/proc/self/fd'),
    ]);
    const limit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.NaN);
    if (Number.isNaN(limit)) return { state: 'ok', detail: `ok: ${open.length} in use, no limit` };
    const detail = `${open.length} of ${limit} in use`;
    if (open.length >= limit - 8) return { state: 'exhausted', detail: `exhausted: ${detail}` };
    return open.length > limit * HIGH_HANDLES_SHARE
      ? { state: 'low', detail: `low: ${detail}` }
      : { state: 'ok', detail: `ok: ${detail}` };
  } catch {
    return { state: 'unknown', detail: 'unknown on this system' };
  }
}
