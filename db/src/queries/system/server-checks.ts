import type { Database } from '../../client.ts';

/** The version of the PostgreSQL behind a handle, such as `18.4`. */
export async function readServerVersion(db: Database): Promise<string> {
  const [row] = await db.sql<{ version: string }[]>`SELECT current_setting('server_version') AS version`;
  return row?.version.split(' ')[0] ?? 'unknown';
}

/** A third, `synchronous_commit`, is of the session: ours has it on. */
const DURABILITY = ['fsync', 'full_page_writes'];

/** Those settings that are off, without which a crash of the server loses what it has confirmed, or breaks its files. */
export async function listDurabilityOff(db: Database): Promise<string[]> {
  const rows = await db.sql<{ name: string }[]>`
    SELECT name FROM pg_settings WHERE name = ANY (${DURABILITY}) AND setting = 'off' ORDER BY name`;
  return rows.map(({ name }) => name);
}
