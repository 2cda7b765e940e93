import { and, eq, gte, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { accounts, memberships } from '../../schema/accounts.ts';
import { balances } from '../../schema/ledger.ts';
import { balanceAlerts, keyBudgetAlerts } from '../../schema/payments.ts';
import { plans } from '../../schema/plans.ts';
import { users } from '../../schema/users.ts';
import type { Connection } from '../../transaction.ts';

/** Who is notified about an account's money: its owners and admins whose email is verified. */
export async function listBillingEmails(db: Connection, accountId: string): Promise<string[]> {
  const rows = await db.drizzle
    .select({ email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.accountId, accountId),
        sql`${memberships.role} IN ('owner', 'admin')`,
        isNotNull(users.emailVerifiedAt),
      ),
    )
    .orderBy(users.email);
  return rows.map((row) => row.email);
}

export interface LowBalance {
  accountId: string;
  availableNanoUsd: bigint;
  thresholdNanoUsd: bigint;
}

/**
 * Takes the accounts whose balance has fallen below their alert threshold: each once until it rises again. Runs in
 * the transaction that queues the emails; a concurrent call waits and finds nothing.
 */
export async function claimLowBalances(tx: Connection, now: Date): Promise<LowBalance[]> {
  const isSame = eq(balances.accountId, balanceAlerts.accountId);
  await tx.drizzle
    .update(balanceAlerts)
    .set({ notifiedAt: null })
    .from(balances)
    .where(
      and(
        isSame,
        isNotNull(balanceAlerts.notifiedAt),
        gte(balances.availableNanoUsd, balanceAlerts.thresholdNanoUsd),
      ),
    );
  return tx.drizzle
    .update(balanceAlerts)
    .set({ notifiedAt: now })
    .from(balances)
    .innerJoin(accounts, eq(accounts.id, balances.accountId))
    .innerJoin(plans, eq(plans.id, accounts.planId))
    .where(
      and(
        isSame,
        isNull(balanceAlerts.notifiedAt),
        lt(balances.availableNanoUsd, balanceAlerts.thresholdNanoUsd),
        isNull(accounts.suspendedAt),
        eq(plans.isPrepaid, true),
      ),
    )
    .returning({
      accountId: balanceAlerts.accountId,
      availableNanoUsd: balances.availableNanoUsd,
      thresholdNanoUsd: balanceAlerts.thresholdNanoUsd,
    });
}

export interface BudgetReached {
  accountId: string;
  keyId: string;
  keyName: string;
  percent: number;
  spentNanoUsd: bigint;
  maxBudgetNanoUsd: bigint;
}

/**
 * Takes the keys that have reached 50, 80 or 100 % of their budget since the last check, each level once
 * and only the highest. A cap is never passed and a small remainder pays for no request, so 99.5 % counts as 100 %.
 * Checks only keys that were used since `since`, found by the hour: unused keys cost nothing. Runs in the
 * transaction that queues the emails.
 */
export async function claimBudgetsReached(
  tx: Connection,
  window: { since: Date; now: Date; limit: number },
): Promise<BudgetReached[]> {
  const since = window.since.toISOString();
  const rows = await tx.drizzle.execute<RawBudget & Record<string, unknown>>(sql`
    WITH used AS (SELECT DISTINCT key_id FROM usage_hourly WHERE hour >= date_trunc('hour', ${since}::timestamptz)),
    reached AS (
      SELECT k.id, level.percent
      FROM used
      JOIN api_keys k ON k.id = used.key_id
      JOIN key_totals t ON t.key_id = k.id
      LEFT JOIN ${keyBudgetAlerts} a ON a.key_id = k.id
      CROSS JOIN LATERAL (
        SELECT max(percent) AS percent FROM (VALUES (50, 500), (80, 800), (100, 995)) AS levels (percent, per_mille)
        WHERE t.spent_nano_usd::numeric * 1000 >= k.max_budget_nano_usd::numeric * per_mille
      ) level
      WHERE k.max_budget_nano_usd IS NOT NULL AND k.revoked_at IS NULL
        AND level.percent > coalesce(a.told_percent, 0)
      ORDER BY k.id
      LIMIT ${window.limit}
    ),
    notified AS (
      INSERT INTO ${keyBudgetAlerts} AS a (key_id, told_percent, told_at)
      SELECT id, percent, ${window.now.toISOString()}::timestamptz FROM reached
      ON CONFLICT (key_id) DO UPDATE SET told_percent = excluded.told_percent, told_at = excluded.told_at
        WHERE a.told_percent < excluded.told_percent
      RETURNING key_id, told_percent
    )
    SELECT k.account_id, k.id, k.name, notified.told_percent::integer AS percent,
      t.spent_nano_usd::text AS spent, k.max_budget_nano_usd::text AS budget
    FROM notified JOIN api_keys k ON k.id = notified.key_id JOIN key_totals t ON t.key_id = k.id
    ORDER BY k.account_id, k.id`);
  return rows.map((row) => ({
    accountId: row.account_id,
    keyId: row.id,
    keyName: row.name,
    percent: row.percent,
    spentNanoUsd: BigInt(row.spent),
    maxBudgetNanoUsd: BigInt(row.budget),
  }));
}

interface RawBudget {
  account_id: string;
  id: string;
  name: string;
  percent: number;
  spent: string;
  budget: string;
}
