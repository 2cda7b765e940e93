import { closeSync, existsSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { Buffer } from 'node:buffer';

/** A larger log is kept as `server.log.1`, and a new one is begun. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;
/** A failed start is explained by the last lines that it wrote. */
const MAX_READ_BYTES = 256 * 1024;

/** Begins a new log if the file is large. @returns the size of the file, in bytes, from which the next lines are written */
export function rotateLog(file: string): number {
  if (!existsSync(file)) return 0;
  const { size } = statSync(file);
  if (size <= MAX_LOG_BYTES) return size;
  renameSync(file, `${file}.1`);
  return 0;
}

/** Reads what was written after a position: at most the last 256 KiB. */
export function readLogFrom(file: string, from: number): string {
  if (!existsSync(file)) return '';
  const { size } = statSync(file);
  const start = Math.max(from, size - MAX_READ_BYTES);
  const bytes = Buffer.alloc(Math.max(0, size - start));
  const descriptor = openSync(file, 'r');
  try {
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, start));
  } finally {
    closeSync(descriptor);
  }
}
