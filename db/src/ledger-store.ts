import {
  LedgerStoreError,
  type LedgerBatch,
  type LedgerCommit,
  type RequestRecord,
} from '@tollgate/core/ledger';
import postgres from 'postgres';
import { commitLedgerBatch } from './queries/ledger/commit-batch.ts';
import { beatReplica, forgetReplicas, listLostHolds, removeReplica } from './queries/ledger/lost-holds.ts';

const STATEMENT_LIMIT_MS = 3_000;
/** A server that does not even refuse is given up a moment later. */
const ANSWER_LIMIT_MS = 4_000;
const CONNECT_LIMIT_SECONDS = 2;

/** The ledger's own way to the database: one connection for batches, one for the rest, each call with its limit. */
export interface DatabaseLedgerStore {
  commit(batch: LedgerBatch): Promise<LedgerCommit>;
  beat(replicaId: string): Promise<void>;
  leave(replicaId: string): Promise<void>;
  listLostHolds(silentForMs: number, limit: number): Promise<RequestRecord[]>;
  forgetReplicas(silentForMs: number): Promise<string[]>;
  close(): Promise<void>;
}

/** Opens it; nothing is sent until the first call. */
export function openLedgerStore(url: string): DatabaseLedgerStore {
  const batches = new PatientConnection(url, 'tollgate ledger');
  const rest = new PatientConnection(url, 'tollgate ledger watch');
  return {
    commit: (batch) => batches.run((sql) => commitLedgerBatch(sql, batch)),
    beat: (replicaId) => rest.run((sql) => beatReplica(sql, replicaId)),
    leave: (replicaId) => rest.run((sql) => removeReplica(sql, replicaId)),
    listLostHolds: (silentForMs, limit) => rest.run((sql) => listLostHolds(sql, silentForMs, limit)),
    forgetReplicas: (silentForMs) => rest.run((sql) => forgetReplicas(sql, silentForMs)),
    close: async () => void (await Promise.all([batches.close(), rest.close()])),
  };
}

/** One connection that is given up for a new one when it does not answer in time: it may be dead without a word. */
class PatientConnection {
  readonly #url: string;
  readonly #applicationName: string;
  #sql: postgres.Sql;

  constructor(url: string, applicationName: string) {
    this.#url = url;
    this.#applicationName = applicationName;
    this.#sql = this.#open();
  }

  /** @throws LedgerStoreError for whatever fails, and where it takes too long */
  async run<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
    const sql = this.#sql;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      this.#giveUp(sql);
      late.reject(new LedgerStoreError('unavailable', new Error('The database does not answer')));
    }, ANSWER_LIMIT_MS);
    try {
      return await Promise.race([work(sql), late.promise]);
    } catch (error) {
      throw error instanceof LedgerStoreError ? error : new LedgerStoreError('unavailable', error);
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
    return postgres(this.#url, {
      max: 1,
      connect_timeout: CONNECT_LIMIT_SECONDS,
      // After a refusal it is tried again at once: whoever asks has its own pace.
      backoff: false,
      onnotice: () => undefined,
      connection: { application_name: this.#applicationName, statement_timeout: STATEMENT_LIMIT_MS },
      types: { bigint: postgres.BigInt },
    });
  }
}
