import type { LedgerLog } from './ledger-store.ts';

/** Maximum number of IDs in a log line. */
const MAX_IDS = 100;

/** Logs rejected records that are not kept: once when their file is full, and all together when it has space again. */
export class DroppedRecords {
  readonly #log: LedgerLog;
  #records = 0;
  #ids: string[] = [];

  constructor(log: LedgerLog) {
    this.#log = log;
  }

  /** @param id null: unknown */
  add(id: string | null): void {
    this.#records += 1;
    if (id !== null && this.#ids.length < MAX_IDS) this.#ids.push(id);
    if (this.#records > 1) return;
    const fields = { records: 1, ids: [...this.#ids] };
    this.#log.error(
      fields,
      'the file of rejected settlements is full: they are not kept until it is moved away',
    );
  }

  /** The file has space again, or the replica stops. */
  report(): void {
    if (this.#records === 0) return;
    const fields = { records: this.#records, ids: this.#ids };
    this.#log.error(fields, 'rejected settlements were not kept because their file was full');
    this.#records = 0;
    this.#ids = [];
  }
}
