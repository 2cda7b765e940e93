import { parseUsd, formatUsd } from '@tollgate/core/money/money';
import type { Database } from '@tollgate/db/client';
import { listLedgerEntries, type ListedEntry } from '@tollgate/db/queries/ledger/list-entries';
import {
  findFailedAutoTopUp,
  findAccountPayment,
  listPayments,
  NANO_USD_PER_CENT,
  type Payment,
} from '@tollgate/db/queries/payments/payments';
import { listPaymentHeads, type DocumentHead } from '@tollgate/db/queries/documents/list-documents';
import { removeMethod } from '@tollgate/db/queries/payments/payment-removals';
import { readBillingOverview, type BillingOverview } from '@tollgate/db/queries/payments/payments-overview';
import { setAutoTopUp, setLowBalanceAlert } from '@tollgate/db/queries/payments/payment-settings';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { deny, notFound } from '../denial.ts';
import type { JsonOf } from '../as-json.ts';
import { formatCents, readTopUpAmount } from './amounts.ts';
import { providerFor, requireProvider } from './provider-for.ts';
import { startCheckout } from './start-checkout.ts';
import { memberProcedure, router, verifiedMemberProcedure } from '../trpc.ts';

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
  /** null: never set up. */
  autoTopUp: { enabled: boolean; thresholdUsd: string; amountUsd: string } | null;
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

export interface EntryRow {
  id: string;
  at: string;
  kind: ListedEntry['kind'];
  /** With its sign. */
  changeNanoUsd: string;
  balanceAfterNanoUsd: string;
  reason: string | null;
  keyId: string | null;
  keyName: string | null;
  usageHour: string | null;
  paymentId: string | null;
}

export interface PaymentRow {
  id: string;
  createdAt: string;
  kind: Payment['kind'];
  amountNanoUsd: string;
  state: Payment['state'];
  /** Of the last try, in the provider's words. */
  failure: string | null;
  /** Set: there is a receipt at `/receipts/<id>`. */
  receiptNumber: string | null;
  /** What corrects the receipt, the oldest first; each is at `/receipts/<its id>`. */
  corrections: { id: string; kind: DocumentHead['kind']; number: string }[];
}

const pageSchema = z.object({
  cursor: z.string().max(100).nullish(),
  limit: z.int().min(1).max(100).default(50),
});
const usdSchema = z.string().trim().max(20);

export const billingRouter = router({
  get: memberProcedure('viewer').query(async ({ ctx }): Promise<BillingView> =>
    readBilling(ctx, ctx.account.id),
  ),

  entries: memberProcedure('viewer')
    .input(pageSchema)
    .query(async ({ ctx, input }): Promise<{ entries: EntryRow[]; nextCursor: string | null }> => {
      const page = { accountId: ctx.account.id, cursor: input.cursor ?? undefined, limit: input.limit };
      const { entries, nextCursor } = await listLedgerEntries(ctx.deps.db, page);
      return { entries: entries.map(toEntryRow), nextCursor };
    }),

  payments: memberProcedure('viewer')
    .input(pageSchema)
    .query(async ({ ctx, input }): Promise<{ payments: PaymentRow[]; nextCursor: string | null }> => {
      const page = { accountId: ctx.account.id, cursor: input.cursor ?? undefined, limit: input.limit };
      const { payments, nextCursor } = await listPayments(ctx.deps.db, page);
      return { payments: await toPaymentRows(ctx, ctx.account.id, payments), nextCursor };
    }),

  payment: memberProcedure('viewer')
    .input(z.object({ paymentId: z.string().max(64) }))
    .query(async ({ ctx, input }): Promise<PaymentRow> => {
      const { paymentId } = input;
      const payment = await findAccountPayment(ctx.deps.db, { accountId: ctx.account.id, paymentId });
      const [row] = payment === null ? [] : await toPaymentRows(ctx, ctx.account.id, [payment]);
      if (row === undefined) throw notFound('payment');
      return row;
    }),

  /** The browser goes to `url`; the provider sends it back to `/billing?payment=<id>`. */
  topUp: verifiedMemberProcedure('admin')
    .input(z.object({ amountUsd: usdSchema, saveMethod: z.boolean() }))
    .mutation(async ({ ctx, input }): Promise<{ url: string }> => {
      const { id, email } = ctx.session.user;
      const order = { ...input, accountId: ctx.account.id, payer: { id, email } };
      return startCheckout(ctx.deps, requireProvider(ctx), order);
    }),

  /** Refuses as BAD_REQUEST with the invalid field as `data.field`; enabling it needs a saved method. */
  setAutoTopUp: verifiedMemberProcedure('admin')
    .input(z.object({ enabled: z.boolean(), thresholdUsd: usdSchema, amountUsd: usdSchema }))
    .mutation(async ({ ctx, input }): Promise<BillingView> => {
      const provider = requireProvider(ctx);
      const amount = readTopUpAmount(input.amountUsd, ctx.deps.settings.topUp);
      if (!amount.ok) throw deny('BAD_REQUEST', amount.message, { field: 'amountUsd' });
      const isSet = await setAutoTopUp(ctx.deps.db, {
        accountId: ctx.account.id,
        actorUserId: ctx.session.user.id,
        provider: provider.name,
        terms: {
          enabled: input.enabled,
          thresholdNanoUsd: readThreshold(input.thresholdUsd, 0n),
          amountCents: amount.amountCents,
        },
      });
      if (!isSet) throw deny('BAD_REQUEST', 'Save a card at a top-up first. Then turn on automatic top-ups.');
      return readBilling(ctx, ctx.account.id);
    }),

  /** The saved card is no longer charged, and automatic top-ups are turned off. */
  removeMethod: verifiedMemberProcedure('admin').mutation(async ({ ctx }): Promise<BillingView> => {
    const removed = await removeMethod(ctx.deps.db, {
      accountId: ctx.account.id,
      actorUserId: ctx.session.user.id,
      provider: requireProvider(ctx).name,
    });
    if (!removed.ok) throw deny('BAD_REQUEST', WHY_METHOD_STAYS[removed.reason]);
    return readBilling(ctx, ctx.account.id);
  }),

  setLowBalanceAlert: verifiedMemberProcedure('admin')
    .input(z.object({ thresholdUsd: usdSchema.nullable() }))
    .mutation(async ({ ctx, input }): Promise<BillingView> => {
      await setLowBalanceAlert(ctx.deps.db, {
        accountId: ctx.account.id,
        actorUserId: ctx.session.user.id,
        thresholdNanoUsd: input.thresholdUsd === null ? null : readThreshold(input.thresholdUsd, 1n),
      });
      return readBilling(ctx, ctx.account.id);
    }),
});

const WHY_METHOD_STAYS = {
  none: 'No card is saved for this account.',
  charging: 'The card is being charged. Try again in a minute.',
} as const;

const MAX_THRESHOLD_NANO_USD = 1_000_000_000_000_000n;

function readThreshold(thresholdUsd: string, least: bigint): bigint {
  const threshold = parseUsd(thresholdUsd);
  if (threshold === null || threshold < least || threshold > MAX_THRESHOLD_NANO_USD)
    throw deny('BAD_REQUEST', 'Enter an amount in dollars, like 5 or 2.50.', { field: 'thresholdUsd' });
  return threshold;
}

async function readBilling(ctx: Context, accountId: string): Promise<BillingView> {
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
    autoTopUp: autoTopUp && {
      enabled: autoTopUp.enabled,
      thresholdUsd: formatUsd(autoTopUp.thresholdNanoUsd),
      amountUsd: formatCents(autoTopUp.amountCents),
    },
    autoTopUpTrouble: await findTrouble(deps.db, accountId, autoTopUp),
    lowBalanceNanoUsd: overview.lowBalanceNanoUsd?.toString() ?? null,
    hasSavedMethod: savedMethod !== null,
    savedMethod,
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

function toEntryRow(entry: ListedEntry): EntryRow {
  return {
    ...entry,
    at: entry.at.toISOString(),
    changeNanoUsd: entry.changeNanoUsd.toString(),
    balanceAfterNanoUsd: entry.balanceAfterNanoUsd.toString(),
    usageHour: entry.usageHour?.toISOString() ?? null,
  };
}

async function toPaymentRows(
  { deps }: Context,
  accountId: string,
  payments: readonly Payment[],
): Promise<PaymentRow[]> {
  const paid = payments.filter(({ receiptNumber }) => receiptNumber !== null).map(({ id }) => id);
  const documents = await listPaymentHeads(deps.db, { accountId, paymentIds: paid });
  return payments.map(({ id, kind, state, failure, receiptNumber, amountCents, createdAt }) => ({
    id,
    kind,
    state,
    failure,
    receiptNumber,
    corrections: documents
      .filter(({ paymentId, number }) => paymentId === id && number !== receiptNumber)
      .map((document) => ({ id: document.id, kind: document.kind, number: document.number })),
    amountNanoUsd: (BigInt(amountCents) * NANO_USD_PER_CENT).toString(),
    createdAt: createdAt.toISOString(),
  }));
}
