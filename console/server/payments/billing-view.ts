import { formatUsd } from '@tollgate/core/money/money';
import { findMonth, getMonthRange } from '@tollgate/core/money/statement-month';
import type { Database } from '@tollgate/db/client';
import { readBillingDetails } from '@tollgate/db/queries/documents/billing-details';
import { findDueTaxes, type DueTaxes } from '@tollgate/db/queries/documents/tax-rates';
import { priceTopUp, readTaxMode } from '@tollgate/db/queries/payments/price-top-up';
import type { TaxMode } from '@tollgate/db/schema/installation';
import { readCharged } from '@tollgate/db/queries/payments/auto-top-up-maximum';
import { findFailedAutoTopUp, NANO_USD_PER_CENT } from '@tollgate/db/queries/payments/payments';
import { readBillingOverview, type BillingOverview } from '@tollgate/db/queries/payments/payments-overview';
import type { JsonOf } from '../as-json.ts';
import type { Context } from '../context.ts';
import { notFound } from '../denial.ts';
import type { Deps } from '../deps.ts';
import { formatCents } from './amounts.ts';
import { providerFor } from './provider-for.ts';

/** An account's money. Amounts in nano-dollars are decimal integers, those in USD plain decimals. */
export interface BillingView {
  availableNanoUsd: string;
  /** The worst cases of requests in progress. */
  heldNanoUsd: string;
  /** Charged already, in the ledger by the end of the hour: entries − this = available. */
  unpostedNanoUsd: string;
  plan: JsonOf<BillingOverview['plan']>;
  /** `test`: a page of the console that moves no money; `none`: the operator adds credit. */
  payments: { mode: 'stripe' | 'test' | 'none'; minUsd: string; maxUsd: string };
  /** Taxes of the account's top-ups. */
  taxes: {
    /** `on_top`: the rates are added to the amount of a top-up. */
    mode: TaxMode;
    rates: { name: string; ratePpm: number }[];
    /** True: the customer owes the tax. */
    reverseCharge: boolean;
  };
  /** null: never set up. */
  autoTopUp: {
    enabled: boolean;
    thresholdUsd: string;
    amountUsd: string;
    /** The amount with added taxes. */
    chargeUsd: string;
    /** null: no maximum. */
    monthlyMaxUsd: string | null;
    /** Charged by automatic top-ups since the first of the month (UTC). */
    chargedThisMonthUsd: string;
    /** Set: another top-up would exceed the maximum before this time. */
    pausedUntil: string | null;
  } | null;
  /** Automatic top-ups that failed, the last ones in a row; null: none since one went through, or since they were set up anew. */
  autoTopUpTrouble: {
    failures: number;
    at: string;
    amountNanoUsd: string;
    /** In the provider's words. */
    failure: string | null;
    /** When it is tried again; null: it was switched off. */
    nextAttemptAt: string | null;
  } | null;
  lowBalanceNanoUsd: string | null;
  hasSavedMethod: boolean;
  savedMethod: { brand: string; last4: string } | null;
}

export async function readBilling(ctx: Context, accountId: string): Promise<BillingView> {
  const { deps } = ctx;
  const provider = providerFor(ctx)?.name ?? null;
  const overview = await readBillingOverview(deps.db, { accountId, provider });
  if (overview === null) throw notFound('account');
  const { autoTopUp, savedMethod } = overview;
  const { minNanoUsd, maxNanoUsd } = deps.settings.topUp;
  return {
    availableNanoUsd: overview.availableNanoUsd.toString(),
    heldNanoUsd: overview.heldNanoUsd.toString(),
    unpostedNanoUsd: overview.unpostedNanoUsd.toString(),
    plan: overview.plan,
    payments: {
      mode: provider ?? 'none',
      minUsd: formatUsd(minNanoUsd),
      maxUsd: formatUsd(maxNanoUsd),
    },
    taxes: { mode: await readTaxMode(deps.db), ...(await findTaxes(deps.db, accountId)) },
    autoTopUp: autoTopUp && (await readAutoTopUp(deps, autoTopUp)),
    autoTopUpTrouble: await findTrouble(deps.db, accountId, autoTopUp),
    lowBalanceNanoUsd: overview.lowBalanceNanoUsd?.toString() ?? null,
    hasSavedMethod: savedMethod !== null,
    savedMethod,
  };
}

async function findTaxes(db: Database, accountId: string): Promise<DueTaxes> {
  return findDueTaxes(db, await readBillingDetails(db, accountId));
}

async function readAutoTopUp(
  { db, clock }: Deps,
  settings: NonNullable<BillingOverview['autoTopUp']>,
): Promise<NonNullable<BillingView['autoTopUp']>> {
  const { accountId, enabled, thresholdNanoUsd, amountCents, monthlyMaxCents } = settings;
  const now = new Date(clock.nowMs());
  const chargedCents = await readCharged(db, { accountId, now });
  const price = await priceTopUp(db, { accountId, creditCents: amountCents });
  const isPaused = monthlyMaxCents !== null && chargedCents + price.amountCents > monthlyMaxCents;
  return {
    enabled,
    thresholdUsd: formatUsd(thresholdNanoUsd),
    amountUsd: formatCents(amountCents),
    chargeUsd: formatCents(price.amountCents),
    monthlyMaxUsd: monthlyMaxCents === null ? null : formatCents(monthlyMaxCents),
    chargedThisMonthUsd: formatCents(chargedCents),
    pausedUntil: isPaused ? getMonthRange(findMonth(now)).to.toISOString() : null,
  };
}

async function findTrouble(
  db: Database,
  accountId: string,
  autoTopUp: { failures: number; enabled: boolean; nextAttemptAt: Date | null } | null,
): Promise<BillingView['autoTopUpTrouble']> {
  if (autoTopUp === null || autoTopUp.failures === 0) return null;
  const failed = await findFailedAutoTopUp(db, accountId);
  if (failed === null) return null;
  return {
    failures: autoTopUp.failures,
    at: failed.updatedAt.toISOString(),
    amountNanoUsd: (BigInt(failed.amountCents) * NANO_USD_PER_CENT).toString(),
    failure: failed.failure,
    nextAttemptAt: autoTopUp.enabled ? (autoTopUp.nextAttemptAt ?? failed.updatedAt).toISOString() : null,
  };
}
