import type { LedgerBatch, LedgerCommit, RequestRecord } from '@tollgate/core/money/ledger';

/** Where holds and settlements are kept. `db` implements it; whatever fails throws `LedgerStoreError`. */
export interface LedgerStore {
  /** Names the database: no other one has the same name, unless it is a copy of the server's files. */
  identify(): Promise<string>;
  /** One transaction; sent again, it counts once. */
  commit(batch: LedgerBatch): Promise<LedgerCommit>;
  /** The replica lives. */
  beat(replicaId: string): Promise<void>;
  /** The replica has settled everything and goes. */
  leave(replicaId: string): Promise<void>;
  /**
   * What replicas hold that have not been heard of for so long, as the settlements that end it: the input is billed.
   * @param limit at most so many, the oldest first
   */
  listLostHolds(silentForMs: number, limit: number): Promise<RequestRecord[]>;
  /** Replicas whose last heartbeat is younger. */
  listReplicas(silentForMs: number): Promise<string[]>;
  /** Replicas that have been silent for so long and hold nothing are forgotten. @returns those that are left */
  forgetReplicas(silentForMs: number): Promise<string[]>;
  close(): Promise<void>;
}

/** What the ledger says of itself; pino's shape. */
export interface LedgerLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
