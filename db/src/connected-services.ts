import type postgres from 'postgres';
import { newestVersion } from './migration-files.ts';
import { StartFailure } from './start-failure.ts';

/** Every service keeps a connection of this name for as long as it runs: the one on which it hears changes. */
const PRESENCE = 'tollgate changes';
const PRESENCE_PATTERN = /^tollgate changes(?:, schema (\d+))?$/;

/** The name of the connection that shows which schema a service was written for. */
export function presenceName(): string {
  return `${PRESENCE}, schema ${newestVersion()}`;
}

/**
 * @param newest the schema version that the database is about to get
 * @throws Error when services that were written for an older schema are connected to this database
 */
export async function refuseOlderServices(sql: postgres.Sql, newest: number): Promise<void> {
  const rows = await sql<{ name: string; address: string | null }[]>`
    SELECT application_name AS name, host(client_addr) AS address FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE ${`${PRESENCE}%`}`;
  // Releases before this one do not say which schema they know.
  const older = rows.filter(({ name }) => {
    const match = PRESENCE_PATTERN.exec(name);
    return match !== null && Number(match[1] ?? 0) < newest;
  });
  if (older.length === 0) return;
  const addresses = [...new Set(older.map(({ address }) => address ?? 'this machine'))];
  const isOne = older.length === 1;
  throw new StartFailure(
    `${isOne ? 'A service of an older release is' : `${older.length} services of an older release are`} connected to this database, from ${addresses.join(', ')}: migrating now could break ${isOne ? 'it' : 'them'}`,
    'Stop every api and console of the older release and start again, or run `tollgate migrate --while-running`.',
  );
}
