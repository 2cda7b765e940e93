import { open, type FileHandle } from 'node:fs/promises';
import type { RequestRecord } from '@tollgate/core/money/ledger';
import { decodeHeader } from './record-files.ts';
import { decodeRecord } from './spooled-record.ts';

const READ_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

/** Reads a settlement file line by line from the beginning. */
export class SpoolReader {
  readonly file: string;
  readonly #handle: FileHandle;
  #offset = 0;
  #rest: Buffer = Buffer.alloc(0);
  /** Read but not returned yet. */
  #ready: RequestRecord[] = [];

  private constructor(file: string, handle: FileHandle) {
    this.file = file;
    this.#handle = handle;
  }

  static async open(file: string): Promise<SpoolReader> {
    return new SpoolReader(file, await open(file, 'r'));
  }

  /**
   * @param limit maximum number of records
   * @param onUnreadable called for each invalid line
   * @returns no records only at the end
   */
  async read(limit: number, onUnreadable: (line: string) => void): Promise<RequestRecord[]> {
    while (this.#ready.length < limit && (await this.#readChunk(onUnreadable)));
    return this.#ready.splice(0, limit);
  }

  /** @returns false at the end */
  async #readChunk(onUnreadable: (line: string) => void): Promise<boolean> {
    const chunk = Buffer.alloc(READ_BYTES);
    const { bytesRead } = await this.#handle.read(chunk, 0, READ_BYTES, this.#offset);
    this.#offset += bytesRead;
    const text = Buffer.concat([this.#rest, chunk.subarray(0, bytesRead)]);
    // A last line without a line feed was torn by a power loss.
    const end = bytesRead === 0 ? text.length : text.lastIndexOf(LINE_FEED) + 1;
    for (const line of text.subarray(0, end).toString('utf8').split('\n')) {
      if (line === '' || decodeHeader(line) !== null) continue;
      const record = decodeRecord(line);
      if (record === null) onUnreadable(line);
      else this.#ready.push(record);
    }
    this.#rest = text.subarray(end);
    return bytesRead > 0;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}
