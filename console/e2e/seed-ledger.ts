import { createId } from '@tollgate/core/runtime/ids';
import type { Database } from '@tollgate/db/client';
import { postLedgerEntry } from '@tollgate/db/queries/ledger/post-entry';
import { rollUpRequests, storePastRequests, storePastTopUp } from '@tollgate/db/queries/usage/past-usage';
import type { Installation } from './installation.ts';
import { pastRequest } from './past-request.ts';
import { openInstallationDatabase } from './seed.ts';

const NANO_USD_PER_CENT = 10_000_000n;
const HOUR_MS = 3_600_000;

/** More ledger entries than one page: each adds a cent. */
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

/** A few days of top-ups and spending, and usage that is not in the ledger yet. */
export async function seedHistory(installation: Installation, accountId: string): Promise<void> {
  const db = await openInstallationDatabase(installation);
  const [key] = await db.sql<
    { id: string }[]
  >`SELECT id FROM api_keys WHERE account_id = ${accountId} LIMIT 1`;
  const owner = { accountId, keyId: key?.id ?? '' };
  const topUp = { accountId, payerEmail: 'you@example.com' };
  await storePastTopUp(db, { ...topUp, amountCents: 2_000, at: hoursAgo(75) });
  await seedUnpaid(db, { accountId, state: 'failed', cents: 5_000, hoursAgo: 30 });
  await storePastTopUp(db, { ...topUp, amountCents: 5_000, at: hoursAgo(29) });
  await seedUnpaid(db, { accountId, state: 'expired', cents: 1_250, hoursAgo: 4 });
  await storePastRequests(db, [
    pastRequest(owner, { chargesBalance: true, at: hoursAgo(74), costNanoUsd: 1_204_880_000n }),
    pastRequest(owner, { chargesBalance: true, at: hoursAgo(50), costNanoUsd: 812_400_131n }),
    pastRequest(owner, { chargesBalance: true, at: hoursAgo(26), costNanoUsd: 132_000n }),
    // Usage of the current hour, which is not in the ledger yet.
    pastRequest(owner, { chargesBalance: true, at: hoursAgo(0), costNanoUsd: 41_250_000n }),
  ]);
  await rollUpRequests(db, [owner.keyId]);
  await db.close();
}

function hoursAgo(hours: number): Date {
  return new Date(Date.now() - hours * HOUR_MS);
}

interface UnpaidPayment {
  accountId: string;
  state: 'failed' | 'expired';
  cents: number;
  hoursAgo: number;
}

async function seedUnpaid(db: Database, payment: UnpaidPayment): Promise<void> {
  const { accountId, state, cents, hoursAgo } = payment;
  await db.sql`
    INSERT INTO payments (id, account_id, kind, provider, amount_cents, state, payer_email, created_at, method_brand,
      method_last4)
    VALUES (${createId('pay')}, ${accountId}, 'checkout', 'test', ${cents}, ${state}, 'you@example.com',
      now() - make_interval(hours => ${hoursAgo}), 'visa', '4242')`;
}
