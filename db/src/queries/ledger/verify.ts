import { sql } from 'drizzle-orm';
import { requests } from '../../schema/requests.ts';
import type { Connection } from '../../transaction.ts';
import { findBalanceViolations } from './verify-balances.ts';
import { findBudgetViolations } from './verify-budgets.ts';
import { LEDGER_CHECKS, type LedgerCheck, type LedgerViolation } from './verify-checks.ts';
import { recomputeCosts, type Recomputed } from './verify-costs.ts';
import { findDocumentViolations } from './verify-documents.ts';
import { findEntryViolations } from './verify-entries.ts';
import { findRequestViolations } from './verify-requests.ts';
import { findRolledViolations } from './verify-rolled.ts';
import { findSumViolations } from './verify-sums.ts';
import { hasUsage, verifyUsage, type ComparedUsage, type DecodeUsage } from './verify-usage.ts';

/** The first few violations of a check, and how many it has. */
interface LedgerFinding {
  check: LedgerCheck;
  violations: LedgerViolation[];
  total: number;
}

export interface LedgerReport {
  /** Empty: every invariant holds. */
  findings: LedgerFinding[];
  counted: LedgerCounts;
  costs: Recomputed;
  /** null: the counts were not compared with what providers reported. */
  usage: ComparedUsage | null;
}

interface VerifyOptions {
  recompute: number | null;
  decodeUsage?: DecodeUsage;
}

interface LedgerCounts {
  accounts: number;
  keys: number;
  requests: number;
  /** Of the requests: in flight. */
  held: number;
  /** Settled without a price: no provider was called. */
  withoutPrice: number;
  /** Settled with estimated usage, which is not compared with a report. */
  estimated: number;
  /** Settled without any usage to compare. */
  withoutUsage: number;
  /** Rows of usage by the hour. */
  hours: number;
  entries: number;
  /** Charged to balances, and not in the ledger yet. */
  unpostedNanoUsd: bigint;
}

/**
 * Verifies every invariant of the ledger on one snapshot, during traffic: nothing is locked, nothing is written.
 * @param options.recompute number of newest requests whose cost is computed again; null: all
 * @param options.decodeUsage reads what providers reported, for the same requests; absent: usage is not compared
 */
export async function verifyLedger(db: Connection, options: VerifyOptions): Promise<LedgerReport> {
  return db.drizzle.transaction((tx) => verifySnapshot({ drizzle: tx }, options), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  });
}

async function verifySnapshot(
  tx: Connection,
  { recompute, decodeUsage }: VerifyOptions,
): Promise<LedgerReport> {
  // Sums over every request: a hash table in memory is far faster than sorting files, and only one session uses it.
  await tx.drizzle.execute(sql`SET LOCAL work_mem = '256MB'`);
  const rows = [
    ...(await findSumViolations(tx)),
    ...(await findBudgetViolations(tx)),
    ...(await findBalanceViolations(tx)),
    ...(await findEntryViolations(tx)),
    ...(await findDocumentViolations(tx)),
    ...(await findRequestViolations(tx)),
    ...(await findRolledViolations(tx)),
  ];
  const { recomputed, wrong } = await recomputeCosts(tx, recompute);
  const compared = decodeUsage === undefined ? null : await verifyUsage(tx, recompute, decodeUsage);
  const findings = LEDGER_CHECKS.map((check): LedgerFinding => {
    if (check === 'request_cost') return { check, ...wrong };
    if (check === 'request_usage') return { check, violations: [], total: 0, ...compared?.wrong };
    const mine = rows.filter((row) => row.check === check);
    const violations = mine.map(({ subject, expected, actual }) => ({ subject, expected, actual }));
    return { check, violations, total: Number(mine[0]?.total ?? 0) };
  });
  return {
    findings: findings.filter(({ total }) => total > 0),
    counted: await count(tx),
    costs: recomputed,
    usage: compared?.usage ?? null,
  };
}

async function count(tx: Connection): Promise<LedgerCounts> {
  const [row] = await tx.drizzle.execute<LedgerCounts & Record<string, unknown>>(sql`
    SELECT
      (SELECT count(*) FROM accounts)::float8 AS accounts,
      (SELECT count(*) FROM api_keys)::float8 AS keys,
      requests.all::float8 AS requests, requests.held::float8 AS held,
      requests.without_price::float8 AS "withoutPrice", requests.estimated::float8 AS estimated,
      requests.without_usage::float8 AS "withoutUsage",
      usage.hours::float8 AS hours,
      (SELECT count(*) FROM ledger_entries)::float8 AS entries,
      usage.unposted::bigint AS "unpostedNanoUsd"
    FROM
      (SELECT count(*) AS all, count(*) FILTER (WHERE state = 'held') AS held,
        count(*) FILTER (WHERE state = 'settled' AND price_id IS NULL) AS without_price,
        count(*) FILTER (WHERE state = 'settled' AND estimated) AS estimated,
        count(*) FILTER (WHERE state = 'settled' AND NOT estimated AND NOT ${hasUsage()}) AS without_usage
      FROM ${requests}) AS requests,
      (SELECT count(*) AS hours, coalesce(sum(charged_nano_usd - posted_nano_usd), 0) AS unposted FROM usage_hourly)
        AS usage`);
  if (row === undefined) throw new Error('An aggregate without GROUP BY returned no row');
  return row;
}
