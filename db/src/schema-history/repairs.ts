/** A migration that was edited after installations had applied it, and how to bring those to the released version. */
export interface SchemaRepair {
  /** The migration's file name. */
  migration: string;
  /** Checksums of the earlier texts that differ in the way that `repair` corrects. */
  checksums: readonly string[];
  /** SQL with one boolean column: true when a database that stored no checksums has an earlier text applied. */
  isApplied: string;
  /** The last schema version in which the difference matters; null when no later migration removes it. */
  lastVersion: number | null;
  /** Idempotent SQL. Functions are not listed: they are replaced by the released ones afterwards. */
  repair: string;
}

const HAS_COLUMN = (table: string, column: string) => `EXISTS (SELECT 1 FROM pg_attribute
  WHERE attrelid = to_regclass('${table}') AND attname = '${column}' AND NOT attisdropped)`;

/** Every migration that the history of this repository edited after it was committed. Never remove an entry. */
export const SCHEMA_REPAIRS: readonly SchemaRepair[] = [
  {
    // The first text had two indexes that nothing used; 0016 creates others with the same names.
    migration: '0001_foundation.sql',
    checksums: ['a742f59b547d95866542b6b6d9ada5563c99d9f91e0a20113c2bc39a0297d35e'],
    lastVersion: 15,
    isApplied: `to_regclass('requests_account') IS NOT NULL`,
    repair: `DROP INDEX IF EXISTS requests_account; DROP INDEX IF EXISTS requests_key;`,
  },
  {
    // Four earlier bodies of commit_ledger_batch; 0018 replaces the function.
    migration: '0008_commit_ledger_batch.sql',
    checksums: [
      '9157858c7b61a412d9320b5bd8e81f99f04c404f740d58a150888e4181dc4b09',
      '67861ac6213589a9ed9be28759812d2205e1b05e09c5bd500d2c27a306b57805',
      'dad6944b7d9837fe95a795433adee601dd839fa42a2dbda8019529eb6f77b006',
      'e0ac36e85737955d9b0fce6dd4d21d676bff7b572633a1b9bd2ed17411ece837',
    ],
    lastVersion: 17,
    isApplied: 'false',
    repair: '',
  },
  {
    // The daily sums had no response times. They are summed up again from usage_hourly.
    migration: '0023_quick_lists.sql',
    checksums: ['514a495d0f9b390003e7ca0a2a3cf90438542a952542092bf889fe631649f006'],
    lastVersion: null,
    isApplied: `NOT ${HAS_COLUMN('usage_key_daily', 'latency_counts')}`,
    repair: `
      DELETE FROM usage_key_daily;
      DELETE FROM usage_account_hourly;
      DELETE FROM usage_late_hours;
      UPDATE usage_rolled SET until = 'epoch';
      ALTER TABLE usage_key_daily
        ADD COLUMN IF NOT EXISTS latency_counts integer[] NOT NULL,
        ADD COLUMN IF NOT EXISTS first_byte_counts integer[] NOT NULL;`,
  },
  {
    // held_requests had no replica_id and shrank while in use; pages of requests had less room for settlements.
    migration: '0027_held_requests.sql',
    checksums: [
      '89f5c5d574946e69aab8b922cb4f2d0baace06942a3b347e428f530b63077177',
      'a02131e149664d20f70f7066e8bfd92eae91f8ce2efeb2dc90ced14119d3f186',
    ],
    lastVersion: null,
    isApplied: `NOT ${HAS_COLUMN('held_requests', 'replica_id')}`,
    repair: `
      ALTER TABLE held_requests ADD COLUMN IF NOT EXISTS replica_id text NOT NULL DEFAULT '';
      ALTER TABLE held_requests ALTER COLUMN replica_id DROP DEFAULT;
      UPDATE held_requests h SET replica_id = coalesce(r.replica_id, '')
        FROM requests r WHERE r.id = h.id AND r.started_at = h.started_at;
      ALTER TABLE held_requests SET (vacuum_truncate = off);
      DO $repair$
      DECLARE
        part regclass;
      BEGIN
        FOR part IN SELECT i.inhrelid FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = 'requests'::regclass AND 'fillfactor=50' = ANY (c.reloptions) LOOP
          EXECUTE format('ALTER TABLE %s SET (fillfactor = 42)', part);
        END LOOP;
      END $repair$;`,
  },
];
