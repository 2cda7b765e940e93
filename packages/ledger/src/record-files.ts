/** The files of settlements in a spool directory: their names, their first line, and how lines are appended. */
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** `<replica>[-<serial>].<pid>.…`: who wrote the file. */
const SPOOL_FILE = /^(?<owner>[a-z0-9_]+)(?:-(?<serial>\d+))?\.(?<pid>\d+)\.(?:open|sealed)\.ndjson$/;
const JOURNAL_FILE = /^(?<owner>[a-z0-9_]+)-(?<serial>\d+)\.(?<pid>\d+)\.journal$/;
const PROOF_BYTES = 64 * 1024;
/** No first line that names a database is longer. */
const MAX_HEADER_BYTES = 512;

/** A file of settlements that a process has written. */
export interface RecordFile {
  file: string;
  kind: 'spool' | 'journal';
  owner: string;
  pid: number;
  /** Order among the files of one kind and owner; 0: before all others. */
  serial: number;
}

export function spoolFileName(owner: string, pid: number, state: 'open' | 'sealed'): string {
  return `${owner}.${pid}.${state}.ndjson`;
}

export function journalFileName(owner: string, pid: number, serial: number): string {
  return `${owner}-${serial}.${pid}.journal`;
}

/** Every file of settlements in a directory: spool files, then journals, those of one owner in the order in which they were written. */
export function listRecordFiles(directory: string): RecordFile[] {
  const files: RecordFile[] = [];
  for (const name of readdirSync(directory)) {
    const spool = SPOOL_FILE.exec(name)?.groups;
    const groups = spool ?? JOURNAL_FILE.exec(name)?.groups;
    if (groups === undefined) continue;
    files.push({
      file: path.join(directory, name),
      kind: spool === undefined ? 'journal' : 'spool',
      owner: groups['owner'] ?? '',
      pid: Number(groups['pid']),
      serial: Number(groups['serial'] ?? 0),
    });
  }
  return files.toSorted(
    (a, b) => Number(a.kind === 'journal') - Number(b.kind === 'journal') || a.serial - b.serial,
  );
}

const headerSchema = z.object({ database: z.string() });

/** The first line of a file: the database that its settlements belong to. Without its line feed. */
export function encodeHeader(database: string): string {
  return JSON.stringify({ database });
}

/** @returns the database that a line names; null if it is no header */
export function decodeHeader(line: string): string | null {
  if (!line.startsWith('{"database":')) return null;
  try {
    return headerSchema.parse(JSON.parse(line)).database;
  } catch {
    return null;
  }
}

/** @returns the database that the file belongs to; null if its first line names none, as in files of older releases */
export function readHeader(file: string): string | null {
  const fd = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(MAX_HEADER_BYTES);
    const text = bytes.toString('utf8', 0, readSync(fd, bytes, 0, MAX_HEADER_BYTES, 0));
    return decodeHeader(text.split('\n', 1)[0] ?? '');
  } finally {
    closeSync(fd);
  }
}

/**
 * Writes lines whole, or none of them if the disk does not take all.
 * @param size of the file before, in bytes, if it is known
 * @returns the bytes written
 */
export function appendLines(fd: number, lines: readonly string[], size: number = fstatSync(fd).size): number {
  let written = 0;
  let end = 0;
  const write = (bytes: Buffer) => {
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    written += bytes.length;
  };
  try {
    for (const line of lines) {
      const maxBytes = line.length * MAX_UTF8_BYTES_PER_UNIT + 1;
      if (end + maxBytes > lineBuffer.length) {
        write(lineBuffer.subarray(0, end));
        end = 0;
      }
      if (maxBytes > lineBuffer.length) {
        write(Buffer.from(`${line}\n`));
        continue;
      }
      end += lineBuffer.write(line, end);
      lineBuffer[end] = LINE_FEED;
      end += 1;
    }
    write(lineBuffer.subarray(0, end));
  } catch (error) {
    ftruncateSync(fd, size);
    throw error;
  }
  return written;
}

const LINE_FEED = 0x0a;
const MAX_UTF8_BYTES_PER_UNIT = 3;
/** Used again by every write: lines are written synchronously. */
const lineBuffer = Buffer.allocUnsafeSlow(64 * 1024);

/** @throws Error if the disk has no room for some more settlements; a few bytes that are left are none */
export function proveRoom(fd: number): void {
  const { size } = fstatSync(fd);
  appendLines(fd, [' '.repeat(PROOF_BYTES)], size);
  ftruncateSync(fd, size);
}

/** In bytes; 0 if the file is gone. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** True if another process of this machine has the id. */
export function isOtherProcess(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
