import type { LedgerLog } from './ledger-store.ts';

export interface FailureMessages {
  failing: string;
  working: string;
}

/** Logs one line when an operation starts to fail and one when it recovers, regardless of retries. */
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

  /** @param fields log fields; only those of the first failure are logged */
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
