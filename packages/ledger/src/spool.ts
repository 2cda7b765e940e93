import { closeSync, fstatSync, fsync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RequestRecord } from '@tollgate/core/money/ledger';
import { DatabaseCheck } from './database-check.ts';
import { DroppedRecords } from './dropped-records.ts';
import { FailureNotice } from './failure-notice.ts';
import type { LedgerLog } from './ledger-store.ts';
import {
  appendLines,
  proveRoom,
  isOtherProcess,
  listRecordFiles,
  getSize,
  spoolFileName,
  syncAndClose,
  type RecordFile,
} from './record-files.ts';
import { resolveJournals } from './resolve-journals.ts';
import { SpoolReader } from './spool-reader.ts';
import { encodeRecord } from './spooled-record.ts';

/** Maximum size of the file with rejected records for inspection. */
const MAX_REJECTED_BYTES = 16 * 1024 * 1024;
export interface SpoolOptions {
  directory: string;
  replicaId: string;
  /** Maximum size of all files together. */
  maxBytes: number;
  log: LedgerLog;
}

/**
 * Stores settlements on disk while the database is unavailable, one JSON line each. A line is written
 * before `append` returns, so a killed process loses none, and synced right after, to protect against power loss.
 * Settlements that are read twice count once, because the ledger identifies them by ID.
 */
export class Spool {
  readonly #options: SpoolOptions;
  readonly #notice: FailureNotice;
  readonly #check: DatabaseCheck;
  readonly #dropped: DroppedRecords;
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
    this.#dropped = new DroppedRecords(options.log);
    this.#notice = new FailureNotice(options.log, {
      failing: 'settlements cannot be written to the spool: they wait in memory until they can',
      working: 'settlements can be written to the spool again',
    });
    mkdirSync(options.directory, { recursive: true, mode: 0o700 });
    this.#measure();
  }

  /** The database of the settlements. Files for another database are kept but not read. */
  setDatabase(database: string): void {
    this.#check.setDatabase(database);
  }

  /** True if writing the last settlement failed. */
  get isFailing(): boolean {
    return this.#notice.isFailing;
  }

  get isFull(): boolean {
    return this.#bytes >= this.#options.maxBytes;
  }

  /** Size of all spool files together, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** True if there are settlements to read. */
  get hasSealed(): boolean {
    return this.#reader !== null || this.#sealed.length > 0;
  }

  /** @returns false if writing fails or the spool is full */
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

  /** Checks if the disk works again after a failure. @returns true if it does */
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

  /** Seals the current file, so that it can be read. */
  seal(): void {
    if (this.#fd === null) return;
    const fd = this.#fd;
    this.#fd = null;
    try {
      syncAndClose(fd);
      this.#take(this.#openFile());
    } catch (error) {
      // The file stays: the next settlement continues it, or the next start finds it.
      this.#options.log.error({ err: error }, 'the spool could not be sealed');
    }
  }

  /**
   * Takes over files of stopped replicas. Only a process of an older release can still use a locked directory.
   * @returns the number of files
   */
  adopt(isAlive: (replicaId: string) => boolean): number {
    const left = listRecordFiles(this.#options.directory).filter(
      ({ file, owner, pid }) =>
        owner !== this.#options.replicaId &&
        !(isAlive(owner) && isOtherProcess(pid)) &&
        this.#check.isOurs(file),
    );
    const spooled = left.filter(({ kind, file }) => kind === 'spool' && this.#adoptSpooled(file)).length;
    // Read after the spool: a checkpoint must not replace a settlement.
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
   * Reads up to `limit` sealed settlements; empty: none left. Discards those read before, unless
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
        // The file stays for the next start.
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

  /** Keeps records that the database rejects, for inspection. */
  reject(record: RequestRecord): void {
    this.#keepForPeople(encodeRecord(record), record.id);
  }

  /** Reads the current file again from the beginning, because its records were not stored. */
  async rewind(): Promise<void> {
    await this.#reader?.close();
    this.#reader = null;
  }

  async close(): Promise<void> {
    this.seal();
    this.#dropped.report();
    await this.rewind();
  }

  #sync(): void {
    if (this.#isSyncing || this.#fd === null || !this.#isDirty) return;
    this.#isSyncing = true;
    this.#isDirty = false;
    fsync(this.#fd, (error) => {
      this.#isSyncing = false;
      // A sealed file is closed: its sync is in progress or no longer needed.
      if (error !== null && error.code !== 'EBADF')
        this.#options.log.error({ err: error }, 'the spool could not be synced');
      this.#sync();
    });
  }

  #keepUnreadable(file: string, line: string): void {
    this.#options.log.error({ file }, 'a line of the spool cannot be read: it is left out');
    this.#keepForPeople(line, null);
  }

  /** @param id null: the line cannot be read */
  #keepForPeople(line: string, id: string | null): void {
    try {
      const fd = openSync(this.#path('rejected.ndjson'), 'a', 0o600);
      try {
        if (fstatSync(fd).size >= MAX_REJECTED_BYTES) return this.#dropped.add(id);
        appendLines(fd, [line]);
        this.#dropped.report();
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

  /** Merges a replica's journals into one spool file. @returns the number of journals */
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

  /** Files of another database do not count toward the size limit. */
  #measure(): void {
    this.#bytes = listRecordFiles(this.#options.directory)
      .filter(({ file, kind }) => kind === 'spool' && !this.#check.isForeign(file))
      .reduce((sum, { file }) => sum + getSize(file), 0);
  }

  /** Renames a file so that this replica reads it. */
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
