import {
  closeSync,
  fstatSync,
  fsync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { RequestRecord } from '@tollgate/core/money/ledger';
import { DatabaseCheck } from './database-check.ts';
import { FailureNotice } from './failure-notice.ts';
import type { LedgerLog } from './ledger-store.ts';
import {
  appendLines,
  proveRoom,
  isOtherProcess,
  listRecordFiles,
  sizeOf,
  spoolFileName,
  type RecordFile,
} from './record-files.ts';
import { resolveJournals } from './resolve-journals.ts';
import { SpoolReader } from './spool-reader.ts';
import { encodeRecord } from './spooled-record.ts';

/** What people are to look at is kept up to here. */
const MAX_REJECTED_BYTES = 16 * 1024 * 1024;
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
  readonly #notice: FailureNotice;
  readonly #check: DatabaseCheck;
  #fd: number | null = null;
  #bytes = 0;
  #serial = 0;
  #isSyncing = false;
  #isDirty = false;
  #sealed: string[] = [];
  #reader: SpoolReader | null = null;

  constructor(options: SpoolOptions) {
    this.#options = options;
    this.#check = new DatabaseCheck(options.log);
    this.#notice = new FailureNotice(options.log, {
      failing: 'settlements cannot be written to the spool: they wait in memory until they can',
      working: 'settlements can be written to the spool again',
    });
    mkdirSync(options.directory, { recursive: true, mode: 0o700 });
    this.#measure();
  }

  /** The database that settlements belong to: what was written for another one is kept, and never read. */
  setDatabase(database: string): void {
    this.#check.setDatabase(database);
  }

  /** True if the disk refused the last settlement. */
  get isFailing(): boolean {
    return this.#notice.isFailing;
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
      this.#fd ??= this.#open();
      this.#bytes += appendLines(this.#fd, [encodeRecord(record)]);
      this.#isDirty = true;
      this.#sync();
      this.#notice.worked();
      return true;
    } catch (error) {
      this.#notice.failed({ err: error });
      return false;
    }
  }

  /** If the disk refused the last settlement: tries whether it takes more now. @returns true if it does */
  retry(): boolean {
    if (!this.#notice.isFailing || this.isFull) return false;
    try {
      this.#fd ??= this.#open();
      proveRoom(this.#fd);
      this.#notice.worked();
      return true;
    } catch (error) {
      this.#notice.failed({ err: error });
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
   * Takes over what other replicas have left. Only a process of an older release can still use a locked directory.
   * @returns how many files
   */
  adopt(isAlive: (replicaId: string) => boolean): number {
    const left = listRecordFiles(this.#options.directory).filter(
      ({ file, owner, pid }) =>
        owner !== this.#options.replicaId &&
        !(isAlive(owner) && isOtherProcess(pid)) &&
        this.#check.isOurs(file),
    );
    const spooled = left.filter(({ kind, file }) => kind === 'spool' && this.#adoptSpooled(file)).length;
    // Read after the spool: a checkpoint must not replace how its request ended.
    const journals = left.filter(({ kind }) => kind === 'journal');
    const owners = new Set(journals.map(({ owner }) => owner));
    const resolved = [...owners].map((id) =>
      this.#adoptJournals(journals.filter(({ owner }) => owner === id)),
    );
    const adopted = resolved.reduce((sum, files) => sum + files, spooled);
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
        if (fstatSync(fd).size < MAX_REJECTED_BYTES) appendLines(fd, [line]);
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      this.#options.log.error({ err: error }, 'a rejected settlement could not be kept');
    }
  }

  #adoptSpooled(file: string): boolean {
    try {
      this.#take(file);
      return true;
    } catch (error) {
      this.#options.log.error({ err: error, file }, 'a file of the spool could not be taken over');
      return false;
    }
  }

  /** Makes one file of the spool of the journals of a replica. @returns how many it had */
  #adoptJournals(journals: readonly RecordFile[]): number {
    try {
      const lines = resolveJournals(journals, (file, line) => this.#keepUnreadable(file, line));
      if (lines.length > 0) {
        const file = this.#path('journals.tmp');
        const { header } = this.#check;
        const text = (header === null ? lines : [header, ...lines]).join('\n');
        writeFileSync(file, `${text}\n`, { mode: 0o600 });
        this.#take(file);
      }
      for (const { file } of journals) rmSync(file, { force: true });
      return journals.length;
    } catch (error) {
      this.#options.log.error(
        { err: error },
        'the journal of a replica could not be taken over: it stays for later',
      );
      return 0;
    }
  }

  /** Files of another database take no room from this one's. */
  #measure(): void {
    this.#bytes = listRecordFiles(this.#options.directory)
      .filter(({ file, kind }) => kind === 'spool' && !this.#check.isForeign(file))
      .reduce((sum, { file }) => sum + sizeOf(file), 0);
  }

  /** Makes a file one of this replica's that are read. */
  #take(file: string): void {
    this.#serial += 1;
    const owner = `${this.#options.replicaId}-${this.#serial}`;
    const sealed = this.#path(spoolFileName(owner, process.pid, 'sealed'));
    renameSync(file, sealed);
    this.#sealed.push(sealed);
  }

  #open(): number {
    const fd = openSync(this.#openFile(), 'a', 0o600);
    try {
      const { header } = this.#check;
      if (header !== null && fstatSync(fd).size === 0) this.#bytes += appendLines(fd, [header]);
      return fd;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  #openFile(): string {
    return this.#path(spoolFileName(this.#options.replicaId, process.pid, 'open'));
  }

  #path(file: string): string {
    return path.join(this.#options.directory, file);
  }
}
