import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';

/** The handle that every query of this package takes: Drizzle, with postgres.js below it. */
export interface Database {
  /** The connection URL. */
  url: string;
  drizzle: PostgresJsDatabase;
  sql: postgres.Sql;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Connections at most; one is enough for a command, ten for a service. */
  maxConnections?: number;
  /** Shown in pg_stat_activity. */
  applicationName?: string;
  /** Called with the server's notices; without it they are dropped. */
  onNotice?: (message: string) => void;
}

/** Acknowledged writes survive a crash of the server, even if the server's default is asynchronous commit. */
export const DURABLE_SESSION = { synchronous_commit: 'on' };

/** Opens a pool; nothing is sent until the first query. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const sql = postgres(url, {
    max: options.maxConnections ?? 10,
    connect_timeout: 5,
    backoff: secondsBeforeRetry,
    onnotice: ({ message }) => options.onNotice?.(message ?? ''),
    connection: { application_name: options.applicationName ?? 'tollgate', ...DURABLE_SESSION },
    types: { bigint: postgres.BigInt },
  });
  return {
    url,
    drizzle: drizzle(sql),
    sql,
    close: () => sql.end({ timeout: 5 }),
  };
}

/** Reconnects within a second; the jitter spreads the attempts of many clients. */
function secondsBeforeRetry(failures: number): number {
  return (0.5 + Math.random() / 2) * Math.min(3 ** failures / 100, 1);
}
