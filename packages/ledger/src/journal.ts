/**
 * Settlements that wait in memory for their transaction, and the progress of long streams, as lines of files in the spool
 * directory. A line is written before the last byte of its answer is sent, so a process that is killed loses nothing that
 * it has answered. What is kept in one turn of the event loop is one write, and answers wait for it (`whenKept`). Writes
 * are plain: they survive the process, not the machine. Lines are in the order in which they were written, and the last
 * one of a request counts. A file is deleted when everything in it is stored.
 */
import { close, closeSync, ftruncateSync, mkdirSync, openSync, rmSync, unlink } from 'node:fs';
import path from 'node:path';
import type { RequestRecord } from '@tollgate/core/money/ledger';
import { FailureNotice } from './failure-notice.ts';
import type { LedgerLog } from './ledger-store.ts';
import { appendLines, encodeHeader, journalFileName } from './record-files.ts';
import { encodeRecord } from './spooled-record.ts';
import { describeRecord } from './storable-record.ts';

/** A larger file is closed, and deleted when everything in it is stored. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** A file without anything that waits is emptied immediately above this size, else after a second. */
const SMALL_FILE_BYTES = 64 * 1024;
const EMPTY_AFTER_MS = 1_000;
/** A disk that refuses is tried again after this time: in between, answers go out without a journal. */
const RETRY_AFTER_MS = 1_000;

export interface JournalOptions {
  directory: string;
  replicaId: string;
  log: LedgerLog;
}

interface JournalFile {
  path: string;
  fd: number;
  bytes: number;
  /** The first line's. */
  headerBytes: number;
  /** Records in it that are stored nowhere else. */
  waiting: number;
}

/** What is kept of one request. */
interface Line {
  record: Kept;
  /** Where it was written last; null: nowhere yet. */
  file: JournalFile | null;
  /** What was written is not the record, but what was known of the request earlier. */
  isOutdated: boolean;
  /** It is written at the end of this turn. */
  isDue: boolean;
  /** It was released before that: it is not written. */
  isReleased: boolean;
}

/**
 * Under this name a record has its line while it is kept. Never spread a kept record and keep both: they would share the
 * line. A WeakMap would keep finished records alive for several collections, which costs 10% of the time under load.
 */
const LINE = Symbol('line');
type Kept = RequestRecord & { [LINE]?: Line | undefined };

export class Journal {
  readonly #options: JournalOptions;
  readonly #notice: FailureNotice;
  /** To be written at the end of this turn, unless they were released meanwhile. */
  #due: Line[] = [];
  /** What waits for that. */
  #callbacks: (() => void)[] = [];
  #immediate: ReturnType<typeof setImmediate> | null = null;
  /** Files other than the current one in which something waits. */
  readonly #full = new Set<JournalFile>();
  #current: JournalFile | null = null;
  #serial = 0;
  #header: string | null = null;
  #retryAtMs = 0;
  #emptyTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#notice = new FailureNotice(options.log, {
      failing:
        'the journal cannot be written: until it can, a crash loses the exact cost of what was just answered',
      working: 'the journal can be written again',
    });
    mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  }

  /** The database that what is kept from now on belongs to. */
  setDatabase(database: string): void {
    this.#header = encodeHeader(database);
  }

  /** False while the disk takes nothing. */
  get isWritable(): boolean {
    return !this.#notice.isFailing;
  }

  /**
   * Keeps a record until it is released, from the end of this turn on: see `whenKept`. Does nothing if it is kept already;
   * the answer goes out even if the disk is full.
   */
  keep(record: Kept): void {
    const kept = record[LINE];
    if (kept !== undefined && !kept.isReleased && (kept.isDue || !kept.isOutdated)) return;
    if (!mustSurvive(record)) return this.release(record);
    if (performance.now() < this.#retryAtMs) return;
    const line = kept ?? { record, file: null, isOutdated: true, isDue: false, isReleased: false };
    line.isReleased = false;
    if (line.isDue) return;
    if (kept === undefined) record[LINE] = line;
    line.isDue = true;
    this.#due.push(line);
    this.#immediate ??= setImmediate(() => this.flush());
  }

  /**
   * Calls back when the record is written, or the disk has refused it: immediately if it does not wait to be written.
   * Callbacks of one record, and of those that replace it, are called in their order.
   */
  whenKept(record: Kept, callback: () => void): void {
    if (record[LINE]?.isDue === true) this.#callbacks.push(callback);
    else callback();
  }

  /** Writes what waits to be written, and calls back those who wait for it. */
  flush(): void {
    if (this.#immediate !== null) clearImmediate(this.#immediate);
    this.#immediate = null;
    if (this.#due.length > 0) this.#write();
    const callbacks = this.#callbacks;
    this.#callbacks = [];
    for (const callback of callbacks) {
      try {
        callback();
      } catch (error) {
        this.#options.log.error({ err: error }, 'a callback after the journal write failed');
      }
    }
  }

  /** What was kept of `earlier` says the same as `record` would: nothing is written a second time. */
  keepAs(record: Kept, earlier: Kept): void {
    const line = earlier[LINE];
    if (line === undefined) return;
    earlier[LINE] = undefined;
    line.record = record;
    record[LINE] = line;
  }

  /** What was kept of `earlier` stands for `record` until `keep` has written it: a disk that refuses loses neither. */
  replace(earlier: Kept, record: Kept): void {
    this.keepAs(record, earlier);
    const line = record[LINE];
    if (line !== undefined) line.isOutdated = true;
  }

  /** The record is stored elsewhere, or replaced by a later one. */
  release(record: Kept): void {
    const line = record[LINE];
    if (line === undefined) return;
    if (line.isReleased) return;
    if (line.isDue) line.isReleased = true;
    else record[LINE] = undefined;
    if (line.file !== null) this.#removeLine(line.file);
    line.file = null;
  }

  /** Deletes what is stored; what is stored nowhere else stays for the next start. */
  close(): void {
    this.flush();
    if (this.#emptyTimer !== null) clearTimeout(this.#emptyTimer);
    this.#emptyTimer = null;
    for (const file of [...this.#full, ...(this.#current === null ? [] : [this.#current])]) {
      closeSync(file.fd);
      if (file.waiting === 0) rmSync(file.path, { force: true });
    }
    this.#full.clear();
    this.#current = null;
  }

  #write(): void {
    const lines: Line[] = [];
    const encoded: string[] = [];
    for (const line of this.#due) {
      line.isDue = false;
      const text = line.isReleased ? null : this.#encode(line.record);
      if (text === null) line.record[LINE] = undefined;
      else {
        lines.push(line);
        encoded.push(text);
      }
    }
    this.#due = [];
    if (lines.length === 0) return;
    try {
      const file = this.#open();
      file.bytes += appendLines(file.fd, encoded, file.bytes);
      file.waiting += lines.length;
      for (const line of lines) {
        if (line.file !== null) this.#removeLine(line.file);
        line.file = file;
        line.isOutdated = false;
      }
      if (file.bytes >= MAX_FILE_BYTES) this.#retire(file);
      this.#notice.worked();
    } catch (error) {
      // What was written earlier still counts.
      for (const { file, record } of lines) if (file === null) record[LINE] = undefined;
      this.#retryAtMs = performance.now() + RETRY_AFTER_MS;
      this.#notice.failed({ err: error });
    }
  }

  /** @returns null if it cannot be written as JSON: the others of its turn can */
  #encode(record: RequestRecord): string | null {
    try {
      return encodeRecord(record);
    } catch (error) {
      const fields = { err: error, record: describeRecord(record) };
      this.#options.log.error(fields, 'a settlement could not be written to the journal');
      return null;
    }
  }

  /** One record less waits in it. */
  #removeLine(file: JournalFile): void {
    file.waiting -= 1;
    if (file.waiting > 0) return;
    if (this.#full.delete(file)) this.#discard(file);
    else if (file.bytes > SMALL_FILE_BYTES) this.#empty(file);
    else this.#emptySoon();
  }

  #open(): JournalFile {
    if (this.#current !== null) return this.#current;
    const { directory, replicaId } = this.#options;
    this.#serial += 1;
    const file = path.join(directory, journalFileName(replicaId, process.pid, this.#serial));
    const fd = openSync(file, 'a', 0o600);
    try {
      const headerBytes = this.#header === null ? 0 : appendLines(fd, [this.#header], 0);
      return (this.#current = { path: file, fd, bytes: headerBytes, headerBytes, waiting: 0 });
    } catch (error) {
      closeSync(fd);
      rmSync(file, { force: true });
      throw error;
    }
  }

  #retire(file: JournalFile): void {
    this.#current = null;
    this.#full.add(file);
  }

  /** In the background: a large file takes a while, and nothing waits for it. */
  #discard({ fd, path: file }: JournalFile): void {
    close(fd, () => undefined);
    unlink(file, (error) => {
      // What stays is read once more at the next start, and counts once.
      if (error !== null) this.#options.log.warn({ err: error, file }, 'a journal could not be deleted');
    });
  }

  #emptySoon(): void {
    if (this.#emptyTimer !== null) return;
    this.#emptyTimer = setTimeout(() => {
      this.#emptyTimer = null;
      const file = this.#current;
      if (file !== null && file.waiting === 0) this.#empty(file);
    }, EMPTY_AFTER_MS);
  }

  #empty(file: JournalFile): void {
    try {
      ftruncateSync(file.fd, file.headerBytes);
      file.bytes = file.headerBytes;
    } catch (error) {
      this.#options.log.warn({ err: error, file: file.path }, 'a journal could not be emptied');
    }
  }
}

/** False for estimates of stale replicas, which are made again, and for refusals that move no money. */
function mustSurvive({
  recovered,
  isHeld,
  errorCode,
  costNanoUsd,
  operatorCostNanoUsd,
}: RequestRecord): boolean {
  return !recovered && (isHeld || errorCode === null || costNanoUsd + operatorCostNanoUsd > 0n);
}
