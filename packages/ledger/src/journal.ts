/**
 * Journals pending settlements and the progress of long streams as lines of files in the spool
 * directory. A line is written before the last byte of its response is sent, so a killed process loses no completed
 * response. All records of one event-loop turn are one write, and responses wait for it (`whenKept`). Writes
 * are not synced: they survive the process, not the machine. Lines are in write order, and the last
 * line of a request counts. A file is deleted when all its records are stored.
 */
import { close, closeSync, ftruncateSync, mkdirSync, openSync, rmSync, unlink } from 'node:fs';
import path from 'node:path';
import type { RequestRecord } from '@tollgate/core/money/ledger';
import { FailureNotice } from './failure-notice.ts';
import type { LedgerLog } from './ledger-store.ts';
import { appendLines, encodeHeader, journalFileName } from './record-files.ts';
import { encodeRecord } from './spooled-record.ts';
import { describeRecord } from './storable-record.ts';

/** Size above which a file is closed; it is deleted when all its records are stored. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** A file without pending records is emptied immediately above this size, otherwise after a second. */
const SMALL_FILE_BYTES = 64 * 1024;
const EMPTY_AFTER_MS = 1_000;
/** Delay before writing is retried after a disk failure. Meanwhile, responses are sent without a journal. */
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
  /** Size of the header line. */
  headerBytes: number;
  /** Number of records that are not stored elsewhere. */
  waiting: number;
}

/** Journal state of one request. */
interface Line {
  record: Kept;
  /** File with its last line; null: not written yet. */
  file: JournalFile | null;
  /** The written line is an earlier checkpoint, not the record. */
  isOutdated: boolean;
  /** Will be written at the end of this turn. */
  isDue: boolean;
  /** Released before the write, so it is not written. */
  isReleased: boolean;
}

/**
 * Property of a kept record with its journal line. Never spread a kept record and keep both: they would share the
 * line. A WeakMap would keep finished records alive for several collections, which costs 10% of the time under load.
 */
const LINE = Symbol('line');
type Kept = RequestRecord & { [LINE]?: Line | undefined };

export class Journal {
  readonly #options: JournalOptions;
  readonly #notice: FailureNotice;
  /** To be written at the end of this turn, unless released before. */
  #due: Line[] = [];
  /** Callbacks that wait for the write. */
  #callbacks: (() => void)[] = [];
  #immediate: ReturnType<typeof setImmediate> | null = null;
  /** Closed files with pending records. */
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

  /** Sets the database for new records. */
  setDatabase(database: string): void {
    this.#header = encodeHeader(database);
  }

  /** False while disk writes fail. */
  get isWritable(): boolean {
    return !this.#notice.isFailing;
  }

  /**
   * Journals a record until it is released. Written at the end of this turn: see `whenKept`. Does nothing if already kept.
   * The response is sent even if the disk is full.
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
   * Calls back when the record is written or the write failed; immediately if no write is pending.
   * Callbacks of a record and of its replacements run in order.
   */
  whenKept(record: Kept, callback: () => void): void {
    if (record[LINE]?.isDue === true) this.#callbacks.push(callback);
    else callback();
  }

  /** Writes pending records and runs their callbacks. */
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

  /** Reuses the line of `earlier` for an equivalent `record` without another write. */
  keepAs(record: Kept, earlier: Kept): void {
    const line = earlier[LINE];
    if (line === undefined) return;
    earlier[LINE] = undefined;
    line.record = record;
    record[LINE] = line;
  }

  /** Uses the line of `earlier` for `record` until `keep` writes it, so that a disk failure loses neither. */
  replace(earlier: Kept, record: Kept): void {
    this.keepAs(record, earlier);
    const line = record[LINE];
    if (line !== undefined) line.isOutdated = true;
  }

  /** Releases a record that is stored elsewhere or replaced. */
  release(record: Kept): void {
    const line = record[LINE];
    if (line === undefined) return;
    if (line.isDue) line.isReleased = true;
    else record[LINE] = undefined;
    if (line.file !== null) this.#removeLine(line.file);
    line.file = null;
  }

  /** Deletes stored records; others stay for the next start. */
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
      // An earlier line still counts.
      for (const { file, record } of lines) if (file === null) record[LINE] = undefined;
      this.#retryAtMs = performance.now() + RETRY_AFTER_MS;
      this.#notice.failed({ err: error });
    }
  }

  /** @returns null if the record cannot be serialized; other records of the turn are written */
  #encode(record: RequestRecord): string | null {
    try {
      return encodeRecord(record);
    } catch (error) {
      const fields = { err: error, record: describeRecord(record) };
      this.#options.log.error(fields, 'a settlement could not be written to the journal');
      return null;
    }
  }

  /** Decrements the pending records of a file. */
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

  /** Deletes in the background, because large files take time. */
  #discard({ fd, path: file }: JournalFile): void {
    close(fd, () => undefined);
    unlink(file, (error) => {
      // A remaining file is read again at the next start; its records count once.
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

/** False for estimates of stale replicas, which can be repeated, and for refusals without cost. */
function mustSurvive({
  recovered,
  isHeld,
  errorCode,
  costNanoUsd,
  operatorCostNanoUsd,
}: RequestRecord): boolean {
  return !recovered && (isHeld || errorCode === null || costNanoUsd + operatorCostNanoUsd > 0n);
}
