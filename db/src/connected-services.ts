import type postgres from 'postgres';
import { functionRevision } from './function-files.ts';
import { newestVersion } from './migration-files.ts';
import { StartFailure } from './start-failure.ts';

/** Every service keeps a connection of this name for as long as it runs: the one on which it hears changes. */
const PRESENCE = 'tollgate changes';
const PRESENCE_PATTERN = /^tollgate changes(?:, schema (\d+)(?:, functions (\d+))?)?$/;

/** The name of the connection that shows for which schema and functions a service was written; 63 characters at most. */
export function presenceName(): string {
  return `${PRESENCE}, schema ${newestVersion()}, functions ${functionRevision()}`;
}

/** The version that a database is about to get. */
export interface NextVersion {
  schema: number;
  /** Revision of the SQL functions. */
  functions: number;
}

/** @throws StartFailure when services that were written for an older version are connected to this database */
export async function refuseOlderServices(sql: postgres.Sql, next: NextVersion): Promise<void> {
  const rows = await sql<{ name: string; address: string | null }[]>`
    SELECT application_name AS name, host(client_addr) AS address FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE ${`${PRESENCE}%`}`;
  // Earlier releases do not name the functions, the earliest not even the schema.
  const older = rows.filter(({ name }) => {
    const match = PRESENCE_PATTERN.exec(name);
    if (match === null) return false;
    return Number(match[1] ?? 0) < next.schema || Number(match[2] ?? 0) < next.functions;
  });
  if (older.length === 0) return;
  const addresses = [...new Set(older.map(({ address }) => address ?? 'this machine'))];
  const isOne = older.length === 1;
  throw new StartFailure(
    `${isOne ? 'A service of an older release is' : `${older.length} services of an older release are`} connected to this database, from ${addresses.join(', ')}: migrating now could break ${isOne ? 'it' : 'them'}`,
    'Stop every api and console of the older release and start again, or run `tollgate migrate --while-running`.',
  );
}
