import type { Database } from '@tollgate/db/client';

const KEYS_PER_ACCOUNT = 10;
const CHUNK = 100_000;

export interface SeedOptions {
  signal: AbortSignal;
  onProgress: (line: string) => void;
}

/**
 * Fills the tables with unused keys, ten to an account, each with its totals and limits as a key of the
 * console has them.
 * @param count a multiple of 10, or the last account has fewer
 */
export async function seedKeys(
  db: Database,
  count: number,
  { signal, onProgress }: SeedOptions,
): Promise<void> {
  for (let from = 1; from <= count; from += CHUNK) {
    signal.throwIfAborted();
    const to = Math.min(from + CHUNK - 1, count);
    await db.sql.begin(async (sql) => {
      // Triggers and foreign keys would be asked row by row about what is known to be right.
      await sql`SET LOCAL session_replication_role = replica`;
      await sql`SET LOCAL synchronous_commit = off`;
      const firstAccount = Math.ceil((from - 1) / KEYS_PER_ACCOUNT) + 1;
      const lastAccount = Math.ceil(to / KEYS_PER_ACCOUNT);
      await sql`
        INSERT INTO accounts (id, name, plan_id)
        SELECT 'acct_' || substr(md5('account ' || n), 1, 26), 'Account ' || n, 'standard'
        FROM generate_series(${firstAccount}::integer, ${lastAccount}::integer) AS n`;
      await sql`
        INSERT INTO balances (account_id)
        SELECT 'acct_' || substr(md5('account ' || n), 1, 26)
        FROM generate_series(${firstAccount}::integer, ${lastAccount}::integer) AS n`;
      await sql`
        INSERT INTO api_keys (id, account_id, name, hash, prefix, last4, max_budget_nano_usd, rpm, tpm)
        SELECT 'key_' || substr(md5('key ' || n), 1, 26),
          'acct_' || substr(md5('account ' || ((n - 1) / ${KEYS_PER_ACCOUNT}::integer + 1)), 1, 26),
          'Key ' || n, sha256(('key ' || n)::bytea), 'sk-' || substr(md5('shown ' || n), 1, 6),
          substr(md5('shown ' || n), 7, 4), 10000000000, 600, 100000
        FROM generate_series(${from}::integer, ${to}::integer) AS n`;
      await sql`
        INSERT INTO key_totals (key_id)
        SELECT 'key_' || substr(md5('key ' || n), 1, 26)
        FROM generate_series(${from}::integer, ${to}::integer) AS n`;
      await sql`
        INSERT INTO key_standings (key_id, account_id)
        SELECT id, account_id FROM api_keys k WHERE NOT EXISTS (SELECT FROM key_standings s WHERE s.key_id = k.id)`;
    });
    onProgress(`seeded ${to} of ${count} keys`);
  }
  await db.sql.unsafe('VACUUM (ANALYZE) accounts, balances, api_keys, key_totals, key_standings');
  await db.sql.unsafe('CHECKPOINT');
}
