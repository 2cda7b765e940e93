import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { DirectoryInUseError, lockDirectory } from '@tollgate/db/directory-lock';
import type { Ledger } from '@tollgate/ledger/ledger';
import { listRecordFiles } from '@tollgate/ledger/record-files';
import type { Logger } from 'pino';
import { getSpoolDirectory } from './worker-place.ts';

const LOOK_MS = 30_000;
const WORKER_FOLDER = /^worker-\d+$/;

interface LeftSpoolsOptions {
  dataDir: string;
  /** The spool directory of this process. */
  own: string;
  ledger: Pick<Ledger, 'adoptFiles'>;
  log: Logger;
}

/**
 * Takes over the records of workers that ended and were not started again, such as the workers of an earlier start with more workers. A
 * directory in use is left alone, because its lock belongs to its process.
 */
export class LeftSpools {
  readonly #options: LeftSpoolsOptions;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(options: LeftSpoolsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#look();
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #look(): void {
    const { ledger, log } = this.#options;
    try {
      const moved = this.#listOthers().reduce((sum, directory) => sum + this.#takeFrom(directory), 0);
      if (moved === 0) return;
      ledger.adoptFiles();
      log.info({ files: moved }, 'records of an earlier worker were taken over');
    } catch (error) {
      log.error({ err: error }, 'records of an earlier worker could not be taken over');
    }
  }

  #listOthers(): string[] {
    const { dataDir, own } = this.#options;
    const first = getSpoolDirectory(dataDir, 1);
    const workers = readdirSync(first).filter((name) => WORKER_FOLDER.test(name));
    return [first, ...workers.map((name) => path.join(first, name))].filter(
      (directory) => directory !== own && existsSync(directory) && statSync(directory).isDirectory(),
    );
  }

  /** @returns the number of files that were moved */
  #takeFrom(directory: string): number {
    // Looked at before, so that a worker that starts there does not find it locked.
    if (listRecordFiles(directory).length === 0) return 0;
    let lock;
    try {
      lock = lockDirectory(directory, 'It is in use.');
    } catch (error) {
      if (error instanceof DirectoryInUseError) return 0;
      throw error;
    }
    try {
      const files = listRecordFiles(directory);
      // Their names contain the id of their replica, so they replace no others.
      for (const { file } of files) renameSync(file, path.join(this.#options.own, path.basename(file)));
      return files.length;
    } finally {
      lock.release();
    }
  }
}
