import type { Database } from '../client.ts';

/** The version of the PostgreSQL behind a handle, such as `18.4`. */
export async function readServerVersion(db: Database): Promise<string> {
  const [row] = await db.sql<{ version: string }[]>`SELECT current_setting('server_version') AS version`;
  return row?.version.split(' ')[0] ?? 'unknown';
}
