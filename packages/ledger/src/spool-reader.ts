import { open, type FileHandle } from 'node:fs/promises';
import type { RequestRecord } from '@tollgate/core/money/ledger';
import { decodeHeader } from './record-files.ts';
import { decodeRecord } from './spooled-record.ts';

const READ_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

/** Reads one file of settlements, a line each, from its beginning. */
export class SpoolReader {
  readonly file: string;
  readonly #handle: FileHandle;
  #offset = 0;
  #rest: Buffer = Buffer.alloc(0);
  /** Read, and not yet given out. */
  #ready: RequestRecord[] = [];

  private constructor(file: string, handle: FileHandle) {
    this.file = file;
    this.#handle = handle;
  }

  static async open(file: string): Promise<SpoolReader> {
    return new SpoolReader(file, await open(file, 'r'));
  }

  /**
   * @param limit at most so many
   * @param onUnreadable told of each line that is no settlement
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
    // A last line without its end was torn by a power cut.
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
