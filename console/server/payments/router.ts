import { parseUsd } from '@tollgate/core/money/money';
import { listLedgerEntries, type ListedEntry } from '@tollgate/db/queries/ledger/list-entries';
import {
  findAccountPayment,
  listPayments,
  NANO_USD_PER_CENT,
  type Payment,
} from '@tollgate/db/queries/payments/payments';
import {
  listPaymentHeads,
  type DocumentHead,
  type LinkedDocument,
} from '@tollgate/db/queries/documents/list-documents';
import { getCreditCents, priceTopUp } from '@tollgate/db/queries/payments/price-top-up';
import { removeMethod } from '@tollgate/db/queries/payments/payment-removals';
import { setAutoTopUp, setLowBalanceAlert } from '@tollgate/db/queries/payments/payment-settings';
import { listLedgerDays, readLedgerDay } from '@tollgate/db/queries/ledger/list-days';
import { findTimeZone } from '@tollgate/db/queries/usage/report/periods';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { deny, notFound } from '../denial.ts';
import { readTopUpAmount, showCents } from './amounts.ts';
import { readBilling, type BillingView } from './billing-view.ts';
import { daySchema, MAX_DAY_PARTS, toDayParts, toDayRow, type DayParts, type DayRow } from './day-views.ts';
import { requireProvider } from './provider-for.ts';
import { startCheckout } from './start-checkout.ts';
import { memberProcedure, router, verifiedMemberProcedure } from '../trpc.ts';

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
  /** The receipt or credit note of the same amount; null: it has none. */
  document: LinkedDocument | null;
}

export interface PaymentRow {
  id: string;
  createdAt: string;
  kind: Payment['kind'];
  amountNanoUsd: string;
  /** The amount without added taxes. */
  creditNanoUsd: string;
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

  /** Days of the reader's calendar that have entries. */
  days: memberProcedure('viewer')
    .input(z.object({ cursor: z.string().max(100).nullish() }))
    .query(async ({ ctx, input }): Promise<{ days: DayRow[]; nextCursor: string | null }> => {
      const { db, clock } = ctx.deps;
      const timeZone = await findTimeZone(db, ctx.timeZone);
      const page = { accountId: ctx.account.id, timeZone, cursor: input.cursor ?? undefined };
      const { days, nextCursor } = await listLedgerDays(db, { ...page, nowMs: clock.nowMs() });
      return { days: days.map(toDayRow), nextCursor };
    }),

  /** What a day of `days` consists of. */
  day: memberProcedure('viewer')
    .input(daySchema)
    .query(async ({ ctx, input }): Promise<DayParts> => {
      const day = { ...input, accountId: ctx.account.id, limit: MAX_DAY_PARTS };
      return toDayParts(await readLedgerDay(ctx.deps.db, day));
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
    .input(
      z.object({
        enabled: z.boolean(),
        thresholdUsd: usdSchema,
        amountUsd: usdSchema,
        /** null: no maximum. */
        monthlyMaxUsd: usdSchema.nullable(),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<BillingView> => {
      const provider = requireProvider(ctx);
      const amount = readTopUpAmount(input.amountUsd, ctx.deps.settings.topUp);
      if (!amount.ok) throw deny('BAD_REQUEST', amount.message, { field: 'amountUsd' });
      const credit = { accountId: ctx.account.id, creditCents: amount.amountCents };
      const price = await priceTopUp(ctx.deps.db, credit);
      const isSet = await setAutoTopUp(ctx.deps.db, {
        accountId: ctx.account.id,
        actorUserId: ctx.session.user.id,
        provider: provider.name,
        terms: {
          enabled: input.enabled,
          thresholdNanoUsd: readThreshold(input.thresholdUsd, 0n),
          amountCents: amount.amountCents,
          monthlyMaxCents: readMonthlyMaximum(input.monthlyMaxUsd, price.amountCents),
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

/** @param chargeCents of one top-up, with added taxes */
function readMonthlyMaximum(maxUsd: string | null, chargeCents: number): number | null {
  if (maxUsd === null) return null;
  const max = parseUsd(maxUsd);
  if (max === null || max % NANO_USD_PER_CENT !== 0n || max > MAX_THRESHOLD_NANO_USD)
    throw deny('BAD_REQUEST', 'Enter an amount in dollars, like 100.', { field: 'monthlyMaxUsd' });
  const maxCents = Number(max / NANO_USD_PER_CENT);
  if (maxCents < chargeCents)
    throw deny('BAD_REQUEST', `Enter at least $${showCents(chargeCents)}, which one top-up costs.`, {
      field: 'monthlyMaxUsd',
    });
  return maxCents;
}

function toEntryRow({ keyTags: _keyTags, ...entry }: ListedEntry): EntryRow {
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
  return payments.map((payment) => {
    const { id, kind, state, failure, receiptNumber, amountCents, createdAt } = payment;
    return {
      id,
      kind,
      state,
      failure,
      receiptNumber,
      corrections: documents
        .filter(({ paymentId, number }) => paymentId === id && number !== receiptNumber)
        .map((document) => ({ id: document.id, kind: document.kind, number: document.number })),
      amountNanoUsd: (BigInt(amountCents) * NANO_USD_PER_CENT).toString(),
      creditNanoUsd: (BigInt(getCreditCents(payment)) * NANO_USD_PER_CENT).toString(),
      createdAt: createdAt.toISOString(),
    };
  });
}
