import { createId } from '@tollgate/core/ids';
import type { Database } from '@tollgate/db/client';
import { postLedgerEntry } from '@tollgate/db/queries/ledger/post-entry';
import type { Installation } from './installation.ts';
import { openInstallationDatabase } from './seed.ts';

const NANO_USD_PER_CENT = 10_000_000n;

/** More entries than a page of the ledger holds: each gives a cent. */
export async function seedCredits(
  installation: Installation,
  accountId: string,
  count: number,
): Promise<void> {
  const db = await openInstallationDatabase(installation);
  for (let index = 1; index <= count; index++) {
    await postLedgerEntry(db, {
      accountId,
      kind: 'credit',
      debit: 'credits',
      credit: 'wallet',
      amountNanoUsd: NANO_USD_PER_CENT,
      idempotencyKey: `seed ${accountId} ${index}`,
      reason: `gift ${index}`,
    });
  }
  await db.close();
}

/** A few days of an account that tops up and spends, and what it has used since the ledger was last written. */
export async function seedHistory(installation: Installation, accountId: string): Promise<void> {
  const db = await openInstallationDatabase(installation);
  const [key] = await db.sql<
    { id: string }[]
  >`SELECT id FROM api_keys WHERE account_id = ${accountId} LIMIT 1`;
  const usage = { db, accountId, keyId: key?.id ?? '' };
  await seedPayment(db, { accountId, state: 'paid', cents: 2_000, hoursAgo: 75 });
  await seedUsage({ ...usage, hoursAgo: 74, nanoUsd: 1_204_880_000n, isPosted: true });
  await seedUsage({ ...usage, hoursAgo: 50, nanoUsd: 812_400_131n, isPosted: true });
  await seedPayment(db, { accountId, state: 'failed', cents: 5_000, hoursAgo: 30 });
  await seedPayment(db, { accountId, state: 'paid', cents: 5_000, hoursAgo: 29 });
  await seedUsage({ ...usage, hoursAgo: 26, nanoUsd: 132_000n, isPosted: true });
  await seedPayment(db, { accountId, state: 'expired', cents: 1_250, hoursAgo: 4 });
  await seedUsage({ ...usage, hoursAgo: 0, nanoUsd: 41_250_000n, isPosted: false });
  await db.close();
}

interface SeededPayment {
  accountId: string;
  state: 'paid' | 'failed' | 'expired';
  cents: number;
  hoursAgo: number;
}

async function seedPayment(db: Database, payment: SeededPayment): Promise<void> {
  const { accountId, state, cents, hoursAgo } = payment;
  const id = createId('pay');
  await db.sql`
    INSERT INTO payments (id, account_id, kind, provider, amount_cents, state, payer_email, receipt_number, created_at,
      paid_at, method_brand, method_last4)
    VALUES (${id}, ${accountId}, 'checkout', 'test', ${cents}, ${state}, 'you@example.com',
      CASE WHEN ${state} = 'paid' THEN 'R-2026-' || lpad(nextval('receipt_numbers')::text, 6, '0') END,
      now() - make_interval(hours => ${hoursAgo}),
      CASE WHEN ${state} = 'paid' THEN now() - make_interval(hours => ${hoursAgo}) END, 'visa', '4242')`;
  if (state !== 'paid') return;
  await db.sql`
    INSERT INTO ledger_entries (id, at, account_id, kind, debit, credit, amount_nano_usd, idempotency_key, payment_id)
    VALUES (${createId('led')}, now() - make_interval(hours => ${hoursAgo}), ${accountId}, 'top_up', 'payments',
      'wallet', ${String(BigInt(cents) * NANO_USD_PER_CENT)}, ${id}, ${id})`;
}

interface SeededUsage {
  db: Database;
  accountId: string;
  keyId: string;
  hoursAgo: number;
  nanoUsd: bigint;
  isPosted: boolean;
}

/** As requests of an hour leave it: taken off the balance at once, in the ledger later. */
async function seedUsage({ db, accountId, keyId, hoursAgo, nanoUsd, isPosted }: SeededUsage): Promise<void> {
  const amount = String(nanoUsd);
  await db.sql`
    INSERT INTO usage_hourly (hour, account_id, key_id, model, requests, cost_nano_usd, charged_nano_usd,
      posted_nano_usd)
    VALUES (date_trunc('hour', now() - make_interval(hours => ${hoursAgo})), ${accountId}, ${keyId}, 'gpt-5-mini', 1,
      ${amount}, ${amount}, ${isPosted ? amount : '0'})`;
  await db.sql`
    UPDATE balances SET available_nano_usd = available_nano_usd - ${amount} WHERE account_id = ${accountId}`;
  if (!isPosted) return;
  await db.sql`
    INSERT INTO ledger_entries (id, at, account_id, kind, debit, credit, amount_nano_usd, idempotency_key, key_id,
      usage_hour)
    VALUES (${createId('led')}, now() - make_interval(hours => ${hoursAgo - 1}), ${accountId}, 'usage', 'wallet',
      'usage', ${amount}, ${`seed ${accountId} ${hoursAgo}`}, ${keyId},
      date_trunc('hour', now() - make_interval(hours => ${hoursAgo})))`;
}
