import type { LedgerLog } from './ledger-store.ts';
import { encodeHeader, readHeader } from './record-files.ts';

/** Keeps settlements of one database from being stored in another. */
export class DatabaseCheck {
  readonly #log: LedgerLog;
  readonly #foreign = new Set<string>();
  /** null: not known yet. */
  #database: string | null = null;

  constructor(log: LedgerLog) {
    this.#log = log;
  }

  /** The database that settlements are stored in from now on. */
  setDatabase(database: string): void {
    this.#database = database;
  }

  /** The first line of new files; null while the database is not known. */
  get header(): string | null {
    return this.#database === null ? null : encodeHeader(this.#database);
  }

  /** True if the file was found to belong to another database. */
  isForeign(file: string): boolean {
    return this.#foreign.has(file);
  }

  /** @returns false if the file belongs to another database, which is logged once for each file */
  isOurs(file: string): boolean {
    if (this.#foreign.has(file)) return false;
    const database = databaseOf(file);
    if (database === null || this.#database === null || database === this.#database) return true;
    this.#foreign.add(file);
    this.#log.error(
      { file, database, connectedTo: this.#database },
      'settlements of another database are kept, and not stored in this one: see "Settlements of another database" in docs/operations.md',
    );
    return false;
  }
}

function databaseOf(file: string): string | null {
  try {
    return readHeader(file);
  } catch {
    // The reader of the file logs why it cannot be read.
    return null;
  }
}
