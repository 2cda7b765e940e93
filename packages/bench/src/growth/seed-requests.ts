import type { MeteredKey } from '../subjects/metered-key.ts';
import type { Database } from '@tollgate/db/client';
import { rollUpRequests } from '@tollgate/db/queries/usage/past-usage';
import { inTransaction } from '@tollgate/db/transaction';
import type { SeedOptions } from './seed-keys.ts';

const CHUNK = 250_000;

/**
 * Fills the tables with settled requests of the keys, evenly from the start of last month to the start of this hour,
 * and with all that the gateway would have written with them: usage by the hour, its ledger entries, and what keys and
 * balances have spent. `tollgate ledger verify` finds nothing wrong with it.
 */
export async function seedRequests(
  db: Database,
  keys: readonly MeteredKey[],
  count: number,
  options: SeedOptions,
): Promise<void> {
  for (let from = 1; from <= count; from += CHUNK) {
    options.signal.throwIfAborted();
    const to = Math.min(from + CHUNK - 1, count);
    await insertRequests(db, keys, { from, to, count });
    options.onProgress(`seeded ${to} of ${count} past requests`);
  }
  await insertUsage(db, keys);
  await db.sql.unsafe('VACUUM (ANALYZE) requests, usage_hourly, ledger_entries, key_totals, balances');
  await db.sql.unsafe('CHECKPOINT');
}

/** Ids sort by time and then are random, as real ones are, so that the index is as large and as scattered as theirs. */
async function insertRequests(
  db: Database,
  keys: readonly MeteredKey[],
  { from, to, count }: { from: number; to: number; count: number },
): Promise<void> {
  const keyIds = keys.map(({ id }) => id);
  const accountIds = keys.map(({ accountId }) => accountId);
  await db.sql.begin(async (tx) => {
    await tx`SET LOCAL synchronous_commit = off`;
    await tx`
      INSERT INTO requests (
        id, started_at, account_id, key_id, endpoint, model, provider, upstream_model, route_id, streamed, state,
        status, input_tokens, output_tokens, price_id, cost_nano_usd, held_nano_usd, charges_balance, replica_id,
        latency_ms, first_byte_ms)
      SELECT
        'req_' || lpad(to_hex((extract(epoch FROM m.started_at) * 1000)::bigint), 11, '0')
          || substr(md5('request ' || m.n), 1, 15),
        m.started_at, (${accountIds}::text[])[m.owner], (${keyIds}::text[])[m.owner], '/v1/chat/completions',
        'bench-model', 'instant', 'bench-model', r.id, m.n % 2 = 0, 'settled', 200, m.input, m.output, p.id,
        m.input * 2500 + m.output * 10000, m.input * 2500 + 640000, true, 'rep_01k9zc4t7q8wf3m2n5p6r8s0tv',
        200 + m.n % 5000, 100 + m.n % 900
      FROM (
        SELECT n, 1 + n % cardinality(${keyIds}::text[]) AS owner, 20 + n % 5 AS input, 1 + n % 64 AS output,
          span.first + (span.last - span.first) * ((n - 1)::float8 / ${count}::float8) AS started_at
        FROM generate_series(${from}::integer, ${to}::integer) AS n, (
          SELECT date_trunc('month', now(), 'UTC') - interval '1 month' AS first,
            date_trunc('hour', now(), 'UTC') AS last
        ) AS span
      ) AS m
      CROSS JOIN (SELECT id FROM routes WHERE model_id = 'bench-model') AS r
      CROSS JOIN (SELECT id FROM model_prices WHERE model_id = 'bench-model') AS p`;
  });
}

/** All of it is posted: nothing is left for the gateway to do. */
async function insertUsage(db: Database, keys: readonly MeteredKey[]): Promise<void> {
  const keyIds = keys.map(({ id }) => id);
  await inTransaction(db, (tx) => rollUpRequests(tx, keyIds));
}
