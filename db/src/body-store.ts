import { PatientConnection } from './patient-connection.ts';
import { insertBodies, type SealedBodies } from './queries/bodies/insert-bodies.ts';

/** The way of bodies to the database, apart from what requests wait for. */
export interface BodyStore {
  /** @throws Error where they could not be stored, or where nobody knows whether they were */
  insert(rows: readonly SealedBodies[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens it; nothing is sent until the first call, so that where nobody keeps bodies there is no connection. */
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
