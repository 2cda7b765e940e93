import postgres from 'postgres';
import { DURABLE_SESSION } from './client.ts';

const STATEMENT_LIMIT_MS = 3_000;
/** Time limit for an answer, in ms, for a server that does not even refuse. */
const ANSWER_LIMIT_MS = 4_000;
const CONNECT_LIMIT_SECONDS = 2;

export interface PatientConnectionOptions {
  url: string;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** Converts a failure to the error that is thrown. */
  toError: (error: unknown) => Error;
}

/** One connection that is replaced when it does not respond in time: it may be dead silently. */
export class PatientConnection {
  readonly #options: PatientConnectionOptions;
  #sql: postgres.Sql;

  /** Nothing is sent until the first call. */
  constructor(options: PatientConnectionOptions) {
    this.#options = options;
    this.#sql = this.#open();
  }

  /** @throws the failure as converted by `toError`, also for a timeout */
  async run<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
    const sql = this.#sql;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      this.#giveUp(sql);
      late.reject(new Error('The database does not respond'));
    }, ANSWER_LIMIT_MS);
    try {
      return await Promise.race([work(sql), late.promise]);
    } catch (error) {
      throw this.#options.toError(error);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: 1 });
  }

  #giveUp(sql: postgres.Sql): void {
    if (this.#sql === sql) this.#sql = this.#open();
    sql.end({ timeout: 0 }).catch(() => undefined);
  }

  #open(): postgres.Sql {
    return postgres(this.#options.url, {
      max: 1,
      connect_timeout: CONNECT_LIMIT_SECONDS,
      // Reconnects immediately after a refusal: the caller has its own retry pace.
      backoff: false,
      onnotice: () => undefined,
      connection: {
        application_name: this.#options.applicationName,
        statement_timeout: STATEMENT_LIMIT_MS,
        ...DURABLE_SESSION,
      },
      types: { bigint: postgres.BigInt },
    });
  }
}
