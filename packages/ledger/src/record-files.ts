/** Settlement files in a spool directory: names, header line and appending. */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** `<replica>[-<serial>].<pid>.…`: the writer of the file. */
const SPOOL_FILE = /^(?<owner>[a-z0-9_]+)(?:-(?<serial>\d+))?\.(?<pid>\d+)\.(?:open|sealed)\.ndjson$/;
const JOURNAL_FILE = /^(?<owner>[a-z0-9_]+)-(?<serial>\d+)\.(?<pid>\d+)\.journal$/;
const WRITE_TEST_BYTES = 64 * 1024;
/** Maximum length of a header line. */
const MAX_HEADER_BYTES = 512;

/** A settlement file of one process. */
export interface RecordFile {
  file: string;
  kind: 'spool' | 'journal';
  owner: string;
  pid: number;
  /** Order among files of the same kind and owner; 0 is first. */
  serial: number;
}

export function spoolFileName(owner: string, pid: number, state: 'open' | 'sealed'): string {
  return `${owner}.${pid}.${state}.ndjson`;
}

export function journalFileName(owner: string, pid: number, serial: number): string {
  return `${owner}-${serial}.${pid}.journal`;
}

/** Lists settlement files in a directory: spool files, then journals, in write order per owner. */
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

/** Formats the header line, which names the database of the settlements, without a line feed. */
export function encodeHeader(database: string): string {
  return JSON.stringify({ database });
}

/** @returns the database named in the line; null if it is not a header */
export function decodeHeader(line: string): string | null {
  if (!line.startsWith('{"database":')) return null;
  try {
    return headerSchema.parse(JSON.parse(line)).database;
  } catch {
    return null;
  }
}

/** @returns the database of the file; null without a header, as in files of older releases */
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
 * Writes all lines, or none if the disk cannot store all.
 * @param size file size before the write in bytes, if known
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
/** Reused by all writes, which are synchronous. */
const lineBuffer = Buffer.allocUnsafeSlow(64 * 1024);

/** @throws Error if the disk lacks space for several settlements; a few free bytes do not count */
export function proveRoom(fd: number): void {
  const { size } = fstatSync(fd);
  appendLines(fd, [' '.repeat(WRITE_TEST_BYTES)], size);
  ftruncateSync(fd, size);
}

/** @throws if the file cannot be synced or closed; it is open in neither case */
export function syncAndClose(fd: number): void {
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Size in bytes; 0 if the file does not exist. */
export function getSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** True if another process on this machine has the PID. */
export function isOtherProcess(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
