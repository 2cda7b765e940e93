import { and, count, desc, isNotNull, isNull, sql } from 'drizzle-orm';
import { replicas } from '../../schema/ledger.ts';
import { outbox } from '../../schema/outbox.ts';
import { heldRequests } from '../../schema/requests.ts';
import type { Connection } from '../../transaction.ts';

/** Facts that the database reports about itself. */
export interface DatabaseFacts {
  /** `18.4`. */
  version: string;
  sizeBytes: number;
  /** The newest migration that has run, without its ending. */
  migration: string;
  migrations: number;
}

export interface Relation {
  name: string;
  /** Indexes and everything else included. */
  sizeBytes: number;
  /** As last analyzed, or as the statistics count them before; null: neither is known. */
  rowsAbout: number | null;
}

export interface Queues {
  mailsWaiting: number;
  /** Of them, emails whose last attempt failed. */
  mailsFailing: number;
  requestsHeld: number;
}

const RELATIONS_SHOWN = 12;

export async function readDatabaseFacts(db: Connection): Promise<DatabaseFacts> {
  const [row] = await db.drizzle.execute<DatabaseFacts & Record<string, unknown>>(sql`
    SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
      pg_database_size(current_database())::float8 AS "sizeBytes",
      (SELECT name FROM schema_migrations ORDER BY version DESC LIMIT 1) AS migration,
      (SELECT count(*)::int FROM schema_migrations) AS migrations`);
  if (row === undefined) throw new Error('The database says nothing of itself');
  return row;
}

/** The largest tables, each partition of the requests for itself. */
export async function listLargestRelations(db: Connection): Promise<Relation[]> {
  const rows = await db.drizzle.execute<Relation & Record<string, unknown>>(sql`
    SELECT relname AS name, pg_total_relation_size(oid)::float8 AS "sizeBytes",
      CASE
        WHEN reltuples >= 0 THEN reltuples::float8
        -- Not analyzed yet, as in a new installation. The statistics start at 0 again after a crash.
        WHEN pg_relation_size(oid) = 0 THEN 0
        ELSE nullif(pg_stat_get_live_tuples(oid), 0)::float8
      END AS "rowsAbout"
    FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    ORDER BY pg_total_relation_size(oid) DESC, relname
    LIMIT ${RELATIONS_SHOWN}`);
  return rows.map(({ name, sizeBytes, rowsAbout }) => ({ name, sizeBytes, rowsAbout }));
}

/** A process of the api that has said that it lives. */
export interface ReplicaRow {
  id: string;
  startedAt: Date;
  heartbeatAt: Date;
  /** Since it said so last, by the database's clock. */
  silentMs: number;
}

/** The newest first. */
export async function listReplicas(db: Connection): Promise<ReplicaRow[]> {
  const silentMs = sql<number>`(extract(epoch FROM clock_timestamp() - ${replicas.heartbeatAt}) * 1000)::float8`;
  return db.drizzle
    .select({ id: replicas.id, startedAt: replicas.startedAt, heartbeatAt: replicas.heartbeatAt, silentMs })
    .from(replicas)
    .orderBy(desc(replicas.startedAt))
    .limit(100);
}

export async function readQueues(db: Connection): Promise<Queues> {
  const [mails] = await db.drizzle
    .select({ waiting: count(), failing: count(outbox.lastError) })
    .from(outbox)
    .where(and(isNull(outbox.sentAt), isNotNull(outbox.bodySealed)));
  const held = await db.drizzle.$count(heldRequests);
  return { mailsWaiting: mails?.waiting ?? 0, mailsFailing: mails?.failing ?? 0, requestsHeld: held };
}
