import type { LedgerLog } from './ledger-store.ts';
import { encodeHeader, readHeader } from './record-files.ts';

/** Prevents settlements of one database from being stored in another. */
export class DatabaseCheck {
  readonly #log: LedgerLog;
  readonly #foreign = new Set<string>();
  /** null: unknown. */
  #database: string | null = null;

  constructor(log: LedgerLog) {
    this.#log = log;
  }

  /** Sets the database for new settlements. */
  setDatabase(database: string): void {
    this.#database = database;
  }

  /** Header line of new files; null while the database is unknown. */
  get header(): string | null {
    return this.#database === null ? null : encodeHeader(this.#database);
  }

  /** True if the file belongs to another database. */
  isForeign(file: string): boolean {
    return this.#foreign.has(file);
  }

  /** @returns false if the file belongs to another database; logged once per file */
  isOurs(file: string): boolean {
    if (this.#foreign.has(file)) return false;
    const database = getDatabase(file);
    if (database === null || this.#database === null || database === this.#database) return true;
    this.#foreign.add(file);
    this.#log.error(
      { file, database, connectedTo: this.#database },
      'settlements of another database are kept, and not stored in this one: see "Settlements of another database" in docs/operations.md',
    );
    return false;
  }
}

function getDatabase(file: string): string | null {
  try {
    return readHeader(file);
  } catch {
    // The file's reader logs the error.
    return null;
  }
}
