import { PAYMENT_STATES } from '@tollgate/core/money/payment-states';
import { parseUsd } from '@tollgate/core/money/money';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import { findPaymentForOperator } from '@tollgate/db/queries/operator/payment';
import {
  findPaymentEvent,
  listEventsOfPayment,
  listPaymentEvents,
  listPaymentsForOperator,
  type StoredEvent,
} from '@tollgate/db/queries/operator/payments';
import { NANO_USD_PER_CENT } from '@tollgate/db/queries/payments/payments';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { deny, notFound } from '../denial.ts';
import { replayEvent } from '../payments/apply-event.ts';
import { parsePaymentFact } from '../payments/payment-fact.ts';
import { refundPayment, type RefundState } from '../payments/refund-payment.ts';
import { operatorProcedure, router } from '../trpc.ts';
import {
  toEventRow,
  toPaymentDetail,
  toPaymentRow,
  type OperatorPaymentDetail,
  type OperatorPaymentRow,
  type PaymentEventRow,
} from './payment-view.ts';
import { reasonSchema } from './reason.ts';

const OUTCOMES = ['applied', 'unchanged', 'ignored', 'refused'] as const;
/** Of an account or a payment its id, or a part of an account's name or a payer's email. */
const searchSchema = z.string().trim().max(100).optional();
/** More than any payment. */
const MAX_REFUND_NANO_USD = 1_000_000_000_000_000n;
const paymentIdSchema = z.string().max(64);
const pageShape = {
  cursor: z.string().max(255).nullish(),
  limit: z.int().min(1).max(100).default(50),
};

export const operatorPaymentsRouter = router({
  list: operatorProcedure
    .input(z.object({ state: z.enum(PAYMENT_STATES).optional(), search: searchSchema, ...pageShape }))
    .query(async ({ ctx, input }): Promise<{ payments: OperatorPaymentRow[]; nextCursor: string | null }> => {
      const page = { ...input, cursor: input.cursor ?? undefined };
      const { payments, nextCursor } = await listPaymentsForOperator(ctx.deps.db, page);
      return { payments: payments.map(toPaymentRow), nextCursor };
    }),

  get: operatorProcedure
    .input(z.object({ paymentId: paymentIdSchema }))
    .query(async ({ ctx, input }): Promise<OperatorPaymentDetail> => {
      return readDetail(ctx, input.paymentId);
    }),

  /**
   * Refunds a payment with its ledger entry, credit note, email and audit entry. `requestId` is made once for each wish:
   * sent again, it refunds nothing.
   */
  refund: operatorProcedure
    .input(
      z.object({
        paymentId: paymentIdSchema,
        amountUsd: z.string().trim().max(20),
        reason: reasonSchema,
        requestId: z.uuid(),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<{ state: RefundState; payment: OperatorPaymentDetail }> => {
      const { deps, session } = ctx;
      const { paymentId, reason } = input;
      if (deps.payments === null) throw deny('BAD_REQUEST', 'Payments are not set up.');
      const state = await refundPayment(deps, deps.payments, {
        paymentId,
        amountCents: readRefundAmount(input.amountUsd),
        reason,
        actorUserId: session.user.id,
        requestKey: `${session.user.id} ${input.requestId}`,
      });
      return { state, payment: await readDetail(ctx, paymentId) };
    }),

  /** Events of one payment, oldest first. */
  getEvents: operatorProcedure
    .input(z.object({ paymentId: paymentIdSchema, ...pageShape }))
    .query(async ({ ctx, input }): Promise<{ events: PaymentEventRow[]; nextCursor: string | null }> => {
      const page = { ...input, cursor: input.cursor ?? undefined };
      const { events, nextCursor } = await listEventsOfPayment(ctx.deps.db, page);
      return { events: events.map(toEventRow), nextCursor };
    }),

  events: operatorProcedure
    .input(z.object({ outcome: z.enum(OUTCOMES).optional(), search: searchSchema, ...pageShape }))
    .query(async ({ ctx, input }): Promise<{ events: PaymentEventRow[]; nextCursor: string | null }> => {
      const page = { ...input, cursor: input.cursor ?? undefined };
      const { events, nextCursor } = await listPaymentEvents(ctx.deps.db, page);
      return { events: events.map(toEventRow), nextCursor };
    }),

  /** Applies a stored event again; changes that it already made are not repeated. */
  replay: operatorProcedure
    .input(z.object({ eventId: z.string().max(255) }))
    .mutation(async ({ ctx, input }): Promise<PaymentEventRow> => {
      const { deps, session } = ctx;
      const stored = await readEvent(ctx, input.eventId);
      const fact = parsePaymentFact(stored.facts);
      if (fact === null) throw deny('BAD_REQUEST', 'This event does not belong to a payment.');
      if (deps.payments === null) throw deny('BAD_REQUEST', 'Payments are not set up.');
      const { id, type, createdAt } = stored;
      await replayEvent(deps, deps.payments, { id, type, createdAt, fact });
      const after = await readEvent(ctx, id);
      await recordAudit(deps.db, {
        actorUserId: session.user.id,
        action: 'payment_event.replay',
        subject: id,
        detail: { before: stored.outcome, after: after.outcome },
      });
      return toEventRow(after);
    }),
});

async function readDetail({ deps }: Context, paymentId: string): Promise<OperatorPaymentDetail> {
  const detail = await findPaymentForOperator(deps.db, paymentId);
  if (detail === null) throw notFound('payment');
  return toPaymentDetail(detail, deps.payments?.name ?? null);
}

function readRefundAmount(amountUsd: string): number {
  const amount = parseUsd(amountUsd);
  const isWhole = amount !== null && amount > 0n && amount % NANO_USD_PER_CENT === 0n;
  if (!isWhole || amount > MAX_REFUND_NANO_USD)
    throw deny('BAD_REQUEST', 'Enter an amount in dollars, like 20 or 12.50.', { field: 'amountUsd' });
  return Number(amount / NANO_USD_PER_CENT);
}

async function readEvent({ deps }: Context, id: string): Promise<StoredEvent> {
  const event = await findPaymentEvent(deps.db, id);
  if (event === null) throw notFound('event');
  return event;
}
