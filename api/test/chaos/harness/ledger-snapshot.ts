import type { Database } from '@tollgate/db/client';
import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiFleet } from './api-fleet.ts';
import type { Payer } from './scene.ts';

/** A request as recorded in the ledger. */
export interface BookRow {
  id: string;
  keyId: string;
  state: 'held' | 'settled';
  status: number;
  provider: string | null;
  inputTokens: number;
  outputTokens: number;
  estimated: boolean;
  /** True: its replica died during the request. */
  recovered: boolean;
  /** In nano-dollars. */
  cost: bigint;
  /** The amount of its hold. */
  held: bigint;
  /** The unbilled cost at its provider. */
  unbilled: bigint;
}

export function readLedgerSnapshot({ sql }: Database, payers: readonly Payer[]): Promise<BookRow[]> {
  return sql<BookRow[]>`
    SELECT id, key_id AS "keyId", state, status, provider, input_tokens AS "inputTokens",
      output_tokens AS "outputTokens", estimated, recovered, cost_nano_usd AS cost, held_nano_usd AS held,
      operator_cost_nano_usd AS unbilled
    FROM requests WHERE key_id = ANY (${payers.map(({ keyId }) => keyId)})`;
}

export interface KeyBook {
  spent: bigint;
  held: bigint;
  /** null: the key has no budget. */
  budget: bigint | null;
}

export async function readKey({ sql }: Database, keyId: string): Promise<KeyBook> {
  const [book] = await sql<KeyBook[]>`
    SELECT t.spent_nano_usd AS spent, t.held_nano_usd AS held, k.max_budget_nano_usd AS budget
    FROM key_totals t JOIN api_keys k ON k.id = t.key_id WHERE t.key_id = ${keyId}`;
  if (book === undefined) throw new Error(`The key ${keyId} has no totals`);
  return book;
}

export interface BalanceBook {
  available: bigint;
  held: bigint;
}

export async function readBalance({ sql }: Database, accountId: string): Promise<BalanceBook> {
  const [book] = await sql<BalanceBook[]>`
    SELECT available_nano_usd AS available, held_nano_usd AS held FROM balances WHERE account_id = ${accountId}`;
  if (book === undefined) throw new Error(`The account ${accountId} has no balance`);
  return book;
}

const LOOK_EVERY_MS = 200;

/**
 * Waits until no hold is left. @returns the duration in ms
 * @throws Error if a hold is left after the time limit
 */
export function untilReleased(db: Database, withinMs: number): Promise<number> {
  return untilNothingLeft(withinMs, () => countHolds(db));
}

/**
 * Waits until no hold is left, and every settlement in the journals and spools of the processes is stored. Until then, a
 * request of a killed process may have the estimate of its orphaned hold.
 * @returns the duration in ms
 * @throws Error if something is left after the time limit
 */
export function untilRecovered(db: Database, { apis }: ApiFleet, withinMs: number): Promise<number> {
  return untilNothingLeft(withinMs, async () => {
    const unstored = apis.reduce((sum, api) => sum + api.countUnstored(), 0);
    return { unstored, ...(await countHolds(db)) };
  });
}

interface Holds {
  rows: number;
  keys: number;
  balances: number;
}

async function countHolds(db: Database): Promise<Holds> {
  const [holds] = await db.sql<Holds[]>`
    SELECT (SELECT count(*) FROM requests WHERE state = 'held')::integer AS rows,
      (SELECT count(*) FROM key_totals WHERE held_nano_usd <> 0)::integer AS keys,
      (SELECT count(*) FROM balances WHERE held_nano_usd <> 0)::integer AS balances`;
  return holds ?? { rows: 0, keys: 0, balances: 0 };
}

async function untilNothingLeft(withinMs: number, count: () => Promise<object>): Promise<number> {
  const startMs = performance.now();
  for (;;) {
    const left = await count();
    const tookMs = performance.now() - startMs;
    if (Object.values(left).every((number) => number === 0)) return tookMs;
    if (tookMs > withinMs) throw new Error(`After ${withinMs} ms this is left: ${JSON.stringify(left)}`);
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * Describes every inconsistency in the database: the findings of `verifyLedger`, and those of sums here that share no code
 * with it or with the transfers. Nothing may be in flight.
 */
export async function findViolationsInBooks(db: Database): Promise<string[]> {
  const { findings } = await verifyLedger(db, { recompute: null });
  return [...findings.map((finding) => JSON.stringify(finding)), ...(await findOddSums(db))];
}

async function findOddSums({ sql }: Database): Promise<string[]> {
  const rows = await sql<{ violation: string }[]>`
    SELECT 'request ' || id || ' is there ' || count(*) || ' times' AS violation
      FROM requests GROUP BY id HAVING count(*) > 1
    UNION ALL
    SELECT 'request ' || id || ' was billed ' || cost_nano_usd || ' over a hold of ' || held_nano_usd
      FROM requests WHERE state = 'settled' AND replica_id IS NOT NULL AND cost_nano_usd > held_nano_usd
    UNION ALL
    SELECT 'key ' || t.key_id || ' has spent ' || t.spent_nano_usd || ', its requests ' || coalesce(r.cost, 0)
      FROM key_totals t
      LEFT JOIN (SELECT key_id, sum(cost_nano_usd) AS cost FROM requests WHERE state = 'settled' GROUP BY 1) r
        USING (key_id)
      WHERE t.spent_nano_usd <> coalesce(r.cost, 0)
    UNION ALL
    SELECT 'key ' || t.key_id || ' holds ' || t.held_nano_usd || ', its requests ' || coalesce(r.held, 0)
      FROM key_totals t
      LEFT JOIN (SELECT key_id, sum(held_nano_usd) AS held FROM requests WHERE state = 'held' GROUP BY 1) r
        USING (key_id)
      WHERE t.held_nano_usd <> coalesce(r.held, 0)
    UNION ALL
    SELECT 'key ' || t.key_id || ' is over its budget: ' || t.spent_nano_usd || ' + ' || t.held_nano_usd
      FROM key_totals t JOIN api_keys k ON k.id = t.key_id
      WHERE t.spent_nano_usd + t.held_nano_usd > k.max_budget_nano_usd
    UNION ALL
    SELECT 'account ' || b.account_id || ' has ' || b.available_nano_usd || ' (' || b.held_nano_usd || ' held)'
      FROM balances b WHERE b.available_nano_usd < b.held_nano_usd
    UNION ALL
    SELECT 'account ' || b.account_id || ' has ' || b.available_nano_usd || ', its entries and usage leave '
        || coalesce(e.amount, 0) - coalesce(r.charged, 0) + coalesce(p.posted, 0)
      FROM balances b
      LEFT JOIN (
        SELECT account_id, sum(CASE WHEN credit = 'wallet' THEN amount_nano_usd ELSE -amount_nano_usd END) AS amount
        FROM ledger_entries GROUP BY 1) e USING (account_id)
      LEFT JOIN (
        SELECT account_id, sum(amount_nano_usd) AS posted FROM ledger_entries WHERE kind = 'usage' GROUP BY 1) p
        USING (account_id)
      LEFT JOIN (
        SELECT account_id, sum(cost_nano_usd) AS charged FROM requests
        WHERE state = 'settled' AND charges_balance GROUP BY 1) r USING (account_id)
      WHERE b.available_nano_usd <> coalesce(e.amount, 0) + coalesce(p.posted, 0) - coalesce(r.charged, 0)
    UNION ALL
    SELECT 'key ' || coalesce(r.key_id, u.key_id) || ' has ' || coalesce(r.requests, 0) || ' requests for '
        || coalesce(r.cost, 0) || ', by the hour ' || coalesce(u.requests, 0) || ' for ' || coalesce(u.cost, 0)
      FROM (
        SELECT key_id, count(*) AS requests, sum(cost_nano_usd) AS cost
        FROM requests WHERE state = 'settled' GROUP BY 1) r
      FULL JOIN (
        SELECT key_id, sum(requests) AS requests, sum(cost_nano_usd) AS cost FROM usage_hourly GROUP BY 1) u
        ON u.key_id = r.key_id
      WHERE coalesce(r.requests, 0) <> coalesce(u.requests, 0) OR coalesce(r.cost, 0) <> coalesce(u.cost, 0)`;
  return rows.map(({ violation }) => violation);
}
