import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';

export const DATABASE_NAME = 'tollgate';
const LEASE_NAME = 'tollgate lease';
/** How long the server's process of a closed connection may take to end, e.g. on a busy machine. */
const CLOSING_MS = 2_000;
const CLOSING_POLL_MS = 50;

/** A connection that shows other processes that a server is in use. */
export interface Lease {
  sql: postgres.Sql;
  /** Settles when the connection ends, for whatever reason. */
  ended: Promise<void>;
}

/** Connects for as long as the server is in use, and creates the database when it is missing. */
export async function takeLease(url: string): Promise<Lease> {
  const ended = Promise.withResolvers<void>();
  const lease = postgres(url, {
    database: 'postgres',
    max: 1,
    connect_timeout: 5,
    max_lifetime: null,
    onnotice: () => undefined,
    onclose: () => ended.resolve(),
    connection: { application_name: LEASE_NAME },
  });
  try {
    const found = await lease`SELECT 1 FROM pg_database WHERE datname = ${DATABASE_NAME}`;
    if (found.length === 0) await lease.unsafe(`CREATE DATABASE ${DATABASE_NAME}`);
  } catch (error) {
    const isRace = error instanceof postgres.PostgresError && ['42P04', '23505'].includes(error.code);
    if (!isRace) {
      await lease.end();
      throw error;
    }
  }
  return { sql: lease, ended: ended.promise };
}

/**
 * Ends the connection. Waits up to two seconds for other connections to end, unless they are leases.
 * @returns true when another process still uses the server, or it is not known
 */
export async function giveBack({ sql: lease }: Lease): Promise<boolean> {
  const untilMs = Date.now() + CLOSING_MS;
  try {
    for (;;) {
      const others = await lease<{ name: string }[]>`
        SELECT application_name AS name FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
      if (others.length === 0) return false;
      // Another process's lease lasts. Its other connections may be ones that this process has just closed.
      if (others.some(({ name }) => name === LEASE_NAME) || Date.now() >= untilMs) return true;
      await sleep(CLOSING_POLL_MS);
    }
  } catch {
    // The server has ended or does not answer any more: it must not be stopped for others.
    return true;
  } finally {
    await lease.end();
  }
}
