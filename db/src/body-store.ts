import { PatientConnection } from './patient-connection.ts';
import { insertBodies, type SealedBodies } from './queries/bodies/insert-bodies.ts';

/** Writes logged payloads to the database, off the request path. */
export interface BodyStore {
  /** @throws Error if the rows could not be stored, or if the outcome is unknown */
  insert(rows: readonly SealedBodies[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens the store; connects at the first call, so an installation without request logging opens no connection. */
export function openBodyStore(url: string): BodyStore {
  const connection = new PatientConnection({
    url,
    applicationName: 'tollgate bodies',
    toError: (error) => (error instanceof Error ? error : new Error(String(error))),
  });
  return {
    insert: (rows) => connection.run((sql) => insertBodies(sql, rows)),
    close: () => connection.close(),
  };
}
