import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const CHUNKS_BYTES = [1024 * 1024, 4096, 1];

/** A separate small file system. */
export interface SmallDisk extends Disposable {
  path: string;
  /** Uses all free bytes. */
  fill(): void;
  /** Frees the space used by `fill`. */
  free(): void;
}

/** True if this process may mount file systems: root on Linux. */
export function canMount(): boolean {
  try {
    mountSmallDisk(1)[Symbol.dispose]();
    return true;
  } catch {
    return false;
  }
}

/** Mounts a small disk. @throws Error if this process may not */
export function mountSmallDisk(sizeMib: number): SmallDisk {
  const folder = mkdtempSync(path.join(tmpdir(), 'small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMib}m,mode=755`, 'tmpfs', folder], {
      stdio: 'pipe',
    });
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
  const filler = path.join(folder, 'filler');
  return {
    path: folder,
    fill: () => fillFile(filler),
    free: () => rmSync(filler, { force: true }),
    [Symbol.dispose]() {
      // Lazy: an ending process may still have a file open.
      execFileSync('umount', ['-l', folder]);
      rmdirSync(folder);
    },
  };
}

function fillFile(file: string): void {
  const descriptor = openSync(file, 'a');
  try {
    for (const bytes of CHUNKS_BYTES) writeUntilFull(descriptor, Buffer.alloc(bytes, 1));
  } finally {
    closeSync(descriptor);
  }
}

function writeUntilFull(descriptor: number, chunk: Buffer): void {
  try {
    for (;;) writeSync(descriptor, chunk);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
