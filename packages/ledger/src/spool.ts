import {
  appendFileSync,
  closeSync,
  fsync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { RequestRecord } from '@tollgate/core/ledger';
import type { LedgerLog } from './ledger-store.ts';
import { decodeRecord, encodeRecord } from './spooled-record.ts';

const READ_BYTES = 256 * 1024;
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
  #reader: Reader | null = null;

  constructor(options: SpoolOptions) {
    this.#options = options;
    mkdirSync(options.directory, { recursive: true, mode: 0o700 });
    this.#bytes = this.#list().reduce((sum, file) => sum + statSync(file).size, 0);
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
      const line = `${encodeRecord(record)}\n`;
      this.#bytes += writeSync(this.#fd, line);
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
    fsyncSync(this.#fd);
    closeSync(this.#fd);
    this.#fd = null;
    this.#take(this.#openFile());
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
        isOtherProcess(Number(pid))
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
    return adopted;
  }

  /** The next sealed settlements, at most about so many; empty: there are none. Call {@link accept} when they are stored. */
  async read(limit: number): Promise<RequestRecord[]> {
    for (;;) {
      const [file] = this.#sealed;
      if (file === undefined) return [];
      this.#reader ??= await Reader.open(file);
      const records = await this.#reader.read(limit, this.#options.log);
      if (records.length > 0) return records;
      await this.#reader.close();
      this.#bytes -= this.#reader.size;
      rmSync(file, { force: true });
      this.#sealed.shift();
      this.#reader = null;
    }
  }

  /** Keeps what the database refuses for what is in it, for people to look at. */
  reject(record: RequestRecord): void {
    try {
      appendFileSync(this.#path('rejected.ndjson'), `${encodeRecord(record)}\n`, { mode: 0o600 });
    } catch (error) {
      this.#options.log.error({ err: error }, 'a rejected settlement could not be kept');
    }
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

/** Reads one sealed file line by line. */
class Reader {
  readonly file: string;
  readonly size: number;
  readonly #handle: FileHandle;
  #offset = 0;
  #rest: Buffer = Buffer.alloc(0);

  private constructor(file: string, handle: FileHandle, size: number) {
    this.file = file;
    this.#handle = handle;
    this.size = size;
  }

  static async open(file: string): Promise<Reader> {
    const handle = await open(file, 'r');
    return new Reader(file, handle, (await handle.stat()).size);
  }

  /** @returns no records only at the end */
  async read(limit: number, log: LedgerLog): Promise<RequestRecord[]> {
    const records: RequestRecord[] = [];
    while (records.length < limit) {
      const chunk = Buffer.alloc(READ_BYTES);
      const { bytesRead } = await this.#handle.read(chunk, 0, READ_BYTES, this.#offset);
      this.#offset += bytesRead;
      const text = Buffer.concat([this.#rest, chunk.subarray(0, bytesRead)]);
      // A last line without its end was torn by a power cut.
      const end = bytesRead === 0 ? text.length : text.lastIndexOf(0x0a) + 1;
      for (const line of text.subarray(0, end).toString('utf8').split('\n')) {
        if (line === '') continue;
        const record = decodeRecord(line);
        if (record === null)
          log.error({ file: this.file }, 'a line of the spool cannot be read: it is left out');
        else records.push(record);
      }
      this.#rest = text.subarray(end);
      if (bytesRead === 0) break;
    }
    return records;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}
