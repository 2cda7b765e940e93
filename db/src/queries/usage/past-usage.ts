import { createId } from '@tollgate/core/runtime/ids';
import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import { apiKeys, keyTotals } from '../../schema/api-keys.ts';
import { auditLog } from '../../schema/audit-log.ts';
import { ledgerEntries } from '../../schema/ledger.ts';
import { keyBudgetAlerts, payments } from '../../schema/payments.ts';
import { requests, usageHourly } from '../../schema/requests.ts';
import type { Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import type { StoredScope } from '../keys/scope-columns.ts';
import { createPayment, markPaymentPaid, NANO_USD_PER_CENT } from '../payments/payments.ts';

export type PastRequest = typeof requests.$inferSelect;
export type PastKey = StoredScope &
  Pick<
    typeof apiKeys.$inferInsert,
    'id' | 'accountId' | 'hash' | 'prefix' | 'last4' | 'tags' | 'createdAt' | 'revokedAt'
  >;

const SEED_ACTION = 'demo.seed';

/** How often invented usage was added to an account. */
export async function countSeeds(db: Connection, accountId: string): Promise<number> {
  return db.drizzle.$count(
    auditLog,
    and(eq(auditLog.accountId, accountId), eq(auditLog.action, SEED_ACTION)),
  );
}

/** Records that synthetic usage was added. */
export async function recordSeed(
  tx: Connection,
  { accountId, ...detail }: { accountId: string; requests: number; since: string },
): Promise<void> {
  await recordAudit(tx, { actorUserId: null, accountId, action: SEED_ACTION, subject: accountId, detail });
}

/** Stores keys as if they had been made back then. */
export async function storePastKeys(tx: Connection, keys: readonly PastKey[]): Promise<void> {
  await tx.drizzle.insert(apiKeys).values([...keys]);
  await tx.drizzle.insert(keyTotals).values(keys.map(({ id }) => ({ keyId: id })));
}

const COLUMN_NAMES = Object.entries(getTableColumns(requests)).map(
  ([property, column]) => [property, column.name] as const,
);

/** Stores settled requests as if they had been made back then; nothing else moves until {@link rollUpRequests}. */
export async function storePastRequests(tx: Connection, rows: readonly PastRequest[]): Promise<void> {
  const list = rows.map((row) => {
    const values = new Map<string, unknown>(Object.entries(row));
    return Object.fromEntries(COLUMN_NAMES.map(([property, name]) => [name, values.get(property)]));
  });
  const text = JSON.stringify(list, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  await tx.drizzle.execute(
    sql`INSERT INTO requests SELECT * FROM json_populate_recordset(NULL::requests, ${text}::text::json)`,
  );
}

/**
 * Writes everything that the gateway would have written with the requests of unused keys: usage by the hour, its
 * ledger entries if the hour has ended, and what the keys and the balances have spent.
 */
export async function rollUpRequests(tx: Connection, keyIds: readonly string[]): Promise<void> {
  const isTheirs = inArray(requests.keyId, [...keyIds]);
  await tx.drizzle.execute(sql`SET LOCAL work_mem = '256MB'`);
  await tx.drizzle.execute(sql`
    INSERT INTO usage_hourly (
      hour, account_id, key_id, model, requests, errors, input_tokens, cache_read_tokens, cache_write_tokens,
      cache_write_1h_tokens, output_tokens, cost_nano_usd, operator_cost_nano_usd, charged_nano_usd, posted_nano_usd,
      latency_counts, first_byte_counts)
    SELECT sums.*
    FROM (
      SELECT date_trunc('hour', started_at, 'UTC') AS hour, account_id, key_id, coalesce(model, ''), count(*),
        count(*) FILTER (WHERE error_code <> 'client_gone'), sum(input_tokens), sum(cache_read_tokens),
        sum(cache_write_tokens), sum(cache_write_1h_tokens), sum(output_tokens), sum(cost_nano_usd),
        sum(operator_cost_nano_usd), coalesce(sum(cost_nano_usd) FILTER (WHERE charges_balance), 0),
        coalesce(sum(cost_nano_usd) FILTER (
          WHERE charges_balance AND started_at < date_trunc('hour', now(), 'UTC')), 0),
        count_times(CASE WHEN error_code IS NULL THEN latency_ms END, 1), count_times(first_byte_ms, 1)
      FROM requests WHERE ${isTheirs}
      GROUP BY 1, 2, 3, 4
    ) AS sums`);
  await tx.drizzle.execute(sql`SELECT queue_sums(id, started_at, 1) FROM requests WHERE ${isTheirs}`);
  const hasHours = inArray(usageHourly.keyId, [...keyIds]);
  await tx.drizzle.execute(sql`
    INSERT INTO ledger_entries (
      id, at, account_id, kind, debit, credit, amount_nano_usd, idempotency_key, key_id, usage_hour)
    SELECT 'led_' || substr(md5(key_id || hour), 1, 26), hour + interval '1 hour', account_id, 'usage', 'wallet',
      'usage', sum(posted_nano_usd),
      concat('usage ', key_id, ' ', to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), ' 1'),
      key_id, hour
    FROM usage_hourly WHERE ${hasHours} AND posted_nano_usd > 0
    GROUP BY key_id, hour, account_id`);
  // Those hours may be rolled up already.
  await tx.drizzle.execute(sql`
    INSERT INTO usage_late_hours SELECT DISTINCT account_id, key_id, hour FROM usage_hourly WHERE ${hasHours}`);
  await tx.drizzle.execute(sql`
    UPDATE key_totals SET spent_nano_usd = key_totals.spent_nano_usd + sums.cost, last_used_at = sums.last_used_at
    FROM (
      SELECT key_id, sum(cost_nano_usd)::bigint AS cost, max(started_at) AS last_used_at
      FROM requests WHERE ${isTheirs} GROUP BY key_id
    ) AS sums
    WHERE sums.key_id = key_totals.key_id`);
  await tx.drizzle.execute(sql`
    UPDATE balances SET available_nano_usd = balances.available_nano_usd - sums.charged
    FROM (
      SELECT account_id, sum(charged_nano_usd)::bigint AS charged
      FROM usage_hourly WHERE ${hasHours} GROUP BY account_id
    ) AS sums
    WHERE sums.account_id = balances.account_id`);
}

/**
 * Records that no budget of the keys needs an alert, whatever share of it their past requests have spent. Later requests
 * cannot be made with these keys, whose secrets are not known.
 */
export async function silenceBudgetAlerts(tx: Connection, keyIds: readonly string[]): Promise<void> {
  await tx.drizzle
    .insert(keyBudgetAlerts)
    .values(keyIds.map((keyId) => ({ keyId, notifiedPercent: 100 })))
    .onConflictDoNothing();
}

/** Stores a payment that moved no money, and its entry, as if they had been made back then. */
export async function storePastTopUp(
  tx: Connection,
  topUp: { accountId: string; payerEmail: string; amountCents: number; at: Date },
): Promise<void> {
  const { accountId, payerEmail, amountCents, at } = topUp;
  const made = { kind: 'checkout', provider: 'test', createdBy: null, savesMethod: false } as const;
  const payment = await createPayment(tx, { ...made, accountId, payerEmail, amountCents });
  const method = { methodBrand: 'visa', methodLast4: '4242' };
  await tx.drizzle.update(payments).set(method).where(eq(payments.id, payment.id));
  await markPaymentPaid(tx, payment.id, { at, issuer: null });
  await tx.drizzle.update(payments).set({ createdAt: at, updatedAt: at }).where(eq(payments.id, payment.id));
  await tx.drizzle.insert(ledgerEntries).values({
    id: createId('led'),
    at,
    accountId,
    kind: 'top_up',
    debit: 'payments',
    credit: 'wallet',
    amountNanoUsd: BigInt(amountCents) * NANO_USD_PER_CENT,
    idempotencyKey: `top_up:${payment.id}`,
    paymentId: payment.id,
  });
}
