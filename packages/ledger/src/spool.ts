import {
  closeSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import type { RequestRecord } from '@tollgate/core/ledger';
import type { LedgerLog } from './ledger-store.ts';
import { SpoolReader } from './spool-reader.ts';
import { encodeRecord } from './spooled-record.ts';

/** What people are to look at is kept up to here. */
const MAX_REJECTED_BYTES = 16 * 1024 * 1024;
/** The number of a process may be another's by now: who has written nothing for so long, and is dead, is not it. */
const PROCESS_FORGOTTEN_AFTER_MS = 600_000;
/** Whose it is, and the process that writes it. */
const FILE_NAME = /^(?<owner>[a-z0-9_]+)(?:-\d+)?\.(?<pid>\d+)\.(?:open|sealed)\.ndjson$/;

export interface SpoolOptions {
  directory: string;
  replicaId: string;
  /** Of all files together; nothing more is taken beyond. */
  maxBytes: number;
  log: LedgerLog;
}

/**
 * Settlements that the database does not take at the moment, on the disk: one line of JSON each. A line is in the file
 * before `append` returns, so a killed process loses none, and is synced right after, so that hardly a power cut does.
 * Read again, possibly twice, they count once: the ledger knows them by their ids.
 */
export class Spool {
  readonly #options: SpoolOptions;
  #fd: number | null = null;
  #bytes = 0;
  #serial = 0;
  #isSyncing = false;
  #isDirty = false;
  #sealed: string[] = [];
  #reader: SpoolReader | null = null;

  constructor(options: SpoolOptions) {
    this.#options = options;
    mkdirSync(options.directory, { recursive: true, mode: 0o700 });
    this.#measure();
  }

  get isFull(): boolean {
    return this.#bytes >= this.#options.maxBytes;
  }

  /** Of every file, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** True where something waits to be read. */
  get hasSealed(): boolean {
    return this.#reader !== null || this.#sealed.length > 0;
  }

  /** @returns false where the disk does not take it, or it would be too much */
  append(record: RequestRecord): boolean {
    if (this.isFull) return false;
    try {
      this.#fd ??= openSync(this.#openFile(), 'a', 0o600);
      this.#bytes += appendWhole(this.#fd, encodeRecord(record));
      this.#isDirty = true;
      this.#sync();
      return true;
    } catch (error) {
      this.#options.log.error({ err: error }, 'a settlement could not be written to the spool');
      return false;
    }
  }

  /** What was appended so far can be read from here on. */
  seal(): void {
    if (this.#fd === null) return;
    const fd = this.#fd;
    this.#fd = null;
    try {
      fsyncSync(fd);
      closeSync(fd);
      this.#take(this.#openFile());
    } catch (error) {
      // It stays where it is: the next settlement goes on in it, or the next start finds it.
      this.#options.log.error({ err: error }, 'the spool could not be sealed');
    }
  }

  /**
   * Takes over what replicas have left behind that do not live any more.
   * @returns how many files
   */
  adopt(isAlive: (replicaId: string) => boolean): number {
    let adopted = 0;
    for (const file of this.#list()) {
      const { owner, pid } = FILE_NAME.exec(path.basename(file))?.groups ?? {};
      if (
        owner === undefined ||
        owner === this.#options.replicaId ||
        isAlive(owner) ||
        (isOtherProcess(Number(pid)) && !isOld(file))
      )
        continue;
      try {
        // Whoever renames it first has it.
        this.#take(file);
        adopted += 1;
      } catch (error) {
        this.#options.log.info({ err: error, file }, 'somebody else took what a replica had left');
      }
    }
    if (adopted > 0) this.#measure();
    return adopted;
  }

  /**
   * The next sealed settlements, at most so many; empty: there are none. What was read before is done with, unless
   * {@link rewind} is called first.
   */
  async read(limit: number): Promise<RequestRecord[]> {
    for (;;) {
      const [file] = this.#sealed;
      if (file === undefined) return [];
      try {
        this.#reader ??= await SpoolReader.open(file);
        const records = await this.#reader.read(limit, (line) => this.#keepUnreadable(file, line));
        if (records.length > 0) return records;
        rmSync(file, { force: true });
      } catch (error) {
        // It stays where it is for the next start.
        this.#options.log.error(
          { err: error, file },
          'a file of the spool could not be read: it is left out',
        );
      }
      await this.rewind();
      this.#sealed.shift();
      this.#measure();
    }
  }

  /** Keeps what the database refuses for what is in it, for people to look at. */
  reject(record: RequestRecord): void {
    this.#keepForPeople(encodeRecord(record));
  }

  /** Begins the file under way anew: what was read of it was not stored. */
  async rewind(): Promise<void> {
    await this.#reader?.close();
    this.#reader = null;
  }

  async close(): Promise<void> {
    this.seal();
    await this.rewind();
  }

  #sync(): void {
    if (this.#isSyncing || this.#fd === null || !this.#isDirty) return;
    this.#isSyncing = true;
    this.#isDirty = false;
    fsync(this.#fd, (error) => {
      this.#isSyncing = false;
      // A file that was sealed meanwhile is closed: its sync was under way or is no more wanted.
      if (error !== null && error.code !== 'EBADF')
        this.#options.log.error({ err: error }, 'the spool could not be synced');
      this.#sync();
    });
  }

  #keepUnreadable(file: string, line: string): void {
    this.#options.log.error({ file }, 'a line of the spool cannot be read: it is left out');
    this.#keepForPeople(line);
  }

  #keepForPeople(line: string): void {
    try {
      const fd = openSync(this.#path('rejected.ndjson'), 'a', 0o600);
      try {
        if (fstatSync(fd).size < MAX_REJECTED_BYTES) appendWhole(fd, line);
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      this.#options.log.error({ err: error }, 'a rejected settlement could not be kept');
    }
  }

  /** Other replicas may share the directory. */
  #measure(): void {
    this.#bytes = this.#list().reduce((sum, file) => sum + sizeOf(file), 0);
  }

  /** Makes a file one of this replica's that are read. */
  #take(file: string): void {
    this.#serial += 1;
    const sealed = this.#path(`${this.#options.replicaId}-${this.#serial}.${process.pid}.sealed.ndjson`);
    renameSync(file, sealed);
    this.#sealed.push(sealed);
  }

  #list(): string[] {
    return readdirSync(this.#options.directory)
      .filter((file) => FILE_NAME.test(file))
      .map((file) => this.#path(file));
  }

  #openFile(): string {
    return this.#path(`${this.#options.replicaId}.${process.pid}.open.ndjson`);
  }

  #path(file: string): string {
    return path.join(this.#options.directory, file);
  }
}

/** True where a process of this machine other than this one may still write. */
function isOtherProcess(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function isOld(file: string): boolean {
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
  return Date.now() - mtimeMs > PROCESS_FORGOTTEN_AFTER_MS;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Writes a line whole or, where the disk does not take all of it, not at all. @returns its bytes */
function appendWhole(fd: number, line: string): number {
  const bytes = Buffer.from(`${line}\n`);
  const { size } = fstatSync(fd);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
  } catch (error) {
    ftruncateSync(fd, size);
    throw error;
  }
  return bytes.length;
}
