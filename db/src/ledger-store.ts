import {
  LedgerStoreError,
  type LedgerBatch,
  type LedgerCommit,
  type RequestRecord,
} from '@tollgate/core/money/ledger';
import { PatientConnection } from './patient-connection.ts';
import { identifyDatabase } from './queries/system/identify-database.ts';
import { commitLedgerBatch } from './queries/ledger/commit-batch.ts';
import {
  beatReplica,
  forgetReplicas,
  listLostHolds,
  listReplicas,
  removeReplica,
} from './queries/ledger/lost-holds.ts';

/** The ledger's own way to the database: one connection for batches, one for the rest, each call with its limit. */
export interface DatabaseLedgerStore {
  identify(): Promise<string>;
  commit(batch: LedgerBatch): Promise<LedgerCommit>;
  beat(replicaId: string): Promise<void>;
  leave(replicaId: string): Promise<void>;
  listLostHolds(silentForMs: number, limit: number): Promise<RequestRecord[]>;
  listReplicas(silentForMs: number): Promise<string[]>;
  forgetReplicas(silentForMs: number): Promise<string[]>;
  close(): Promise<void>;
}

/** Opens it; nothing is sent until the first call. */
export function openLedgerStore(url: string): DatabaseLedgerStore {
  const batches = new PatientConnection({ url, applicationName: 'tollgate ledger', toError });
  const rest = new PatientConnection({ url, applicationName: 'tollgate ledger watch', toError });
  return {
    identify: () => rest.run(identifyDatabase),
    commit: (batch) => batches.run((sql) => commitLedgerBatch(sql, batch)),
    beat: (replicaId) => rest.run((sql) => beatReplica(sql, replicaId)),
    leave: (replicaId) => rest.run((sql) => removeReplica(sql, replicaId)),
    listLostHolds: (silentForMs, limit) => rest.run((sql) => listLostHolds(sql, silentForMs, limit)),
    listReplicas: (silentForMs) => rest.run((sql) => listReplicas(sql, silentForMs)),
    forgetReplicas: (silentForMs) => rest.run((sql) => forgetReplicas(sql, silentForMs)),
    close: async () => void (await Promise.all([batches.close(), rest.close()])),
  };
}

function toError(error: unknown): Error {
  return error instanceof LedgerStoreError ? error : new LedgerStoreError('unavailable', error);
}
