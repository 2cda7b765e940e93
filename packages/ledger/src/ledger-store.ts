import type { LedgerBatch, LedgerCommit, RequestRecord } from '@tollgate/core/money/ledger';

/** Storage of holds and settlements, implemented by `db`. Failures throw `LedgerStoreError`. */
export interface LedgerStore {
  /** Unique ID of the database; only copies of the server's files share it. */
  identify(): Promise<string>;
  /** Runs one transaction; a retry has no further effect. */
  commit(batch: LedgerBatch): Promise<LedgerCommit>;
  /** Records a heartbeat. */
  beat(replicaId: string): Promise<void>;
  /** Removes a replica that has settled everything. */
  leave(replicaId: string): Promise<void>;
  /**
   * Lists orphaned holds of stale replicas as settlements that bill the estimated input.
   * @param limit maximum number, oldest first
   */
  listLostHolds(silentForMs: number, limit: number): Promise<RequestRecord[]>;
  /** Counts replicas with a more recent heartbeat. */
  listReplicas(silentForMs: number): Promise<string[]>;
  /** Deletes stale replicas without holds. @returns the remaining ones */
  forgetReplicas(silentForMs: number): Promise<string[]>;
  close(): Promise<void>;
}

/** Logger of the ledger, compatible with pino. */
export interface LedgerLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
