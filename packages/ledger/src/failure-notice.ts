import type { LedgerLog } from './ledger-store.ts';

export interface FailureMessages {
  failing: string;
  working: string;
}

/** Logs one line when something begins to fail and one when it works again, however often it is tried in between. */
export class FailureNotice {
  readonly #log: LedgerLog;
  readonly #messages: FailureMessages;
  #failures = 0;

  constructor(log: LedgerLog, messages: FailureMessages) {
    this.#log = log;
    this.#messages = messages;
  }

  get isFailing(): boolean {
    return this.#failures > 0;
  }

  /** @param fields of the log line; the first failure's are logged */
  failed(fields: object): void {
    this.#failures += 1;
    if (this.#failures === 1) this.#log.error(fields, this.#messages.failing);
  }

  worked(): void {
    if (this.#failures === 0) return;
    const failures = this.#failures;
    this.#failures = 0;
    this.#log.info({ failures }, this.#messages.working);
  }
}
