import { recordAudit } from '@tollgate/db/queries/audit';
import {
  findPaymentEvent,
  listPaymentEvents,
  listPaymentsForOperator,
  type PaymentOfAccount,
  type StoredEvent,
} from '@tollgate/db/queries/operator/payments';
import { NANO_USD_PER_CENT, type Payment } from '@tollgate/db/queries/payments';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { deny, notFound } from '../../denial.ts';
import { replayEvent } from '../../payments/apply-event.ts';
import { parsePaymentFact } from '../../payments/payment-fact.ts';
import { operatorProcedure, router } from '../../trpc.ts';

/** A payment of any account. */
export interface OperatorPaymentRow {
  id: string;
  accountId: string;
  accountName: string;
  createdAt: string;
  kind: Payment['kind'];
  provider: Payment['provider'];
  amountNanoUsd: string;
  state: Payment['state'];
  /** Of the last try, in the provider's words. */
  failure: string | null;
  receiptNumber: string | null;
}

/** What a provider told, and what became of it. */
export interface PaymentEventRow {
  /** The provider's. */
  id: string;
  type: string;
  receivedAt: string;
  paymentId: string | null;
  outcome: StoredEvent['outcome'];
  /** Why it was refused. */
  reason: string | null;
  /** False: it concerns no payment, so there is nothing to deal with again. */
  canReplay: boolean;
  /** What was told, as it was stored. */
  facts: string | null;
}

const PAYMENT_STATES = [
  'created',
  'pending',
  'paid',
  'failed',
  'expired',
  'refunded_part',
  'refunded',
  'disputed',
] as const;
const OUTCOMES = ['applied', 'unchanged', 'ignored', 'refused'] as const;
const pageShape = {
  cursor: z.string().max(255).nullish(),
  limit: z.int().min(1).max(100).default(50),
};

export const operatorPaymentsRouter = router({
  list: operatorProcedure
    .input(z.object({ state: z.enum(PAYMENT_STATES).optional(), ...pageShape }))
    .query(async ({ ctx, input }): Promise<{ payments: OperatorPaymentRow[]; nextCursor: string | null }> => {
      const page = { ...input, cursor: input.cursor ?? undefined };
      const { payments, nextCursor } = await listPaymentsForOperator(ctx.deps.db, page);
      return { payments: payments.map(toPaymentRow), nextCursor };
    }),

  events: operatorProcedure
    .input(z.object({ outcome: z.enum(OUTCOMES).optional(), ...pageShape }))
    .query(async ({ ctx, input }): Promise<{ events: PaymentEventRow[]; nextCursor: string | null }> => {
      const page = { ...input, cursor: input.cursor ?? undefined };
      const { events, nextCursor } = await listPaymentEvents(ctx.deps.db, page);
      return { events: events.map(toEventRow), nextCursor };
    }),

  /** Deals with a stored event again, as if it came now; what it moved before it does not move twice. */
  replay: operatorProcedure
    .input(z.object({ eventId: z.string().max(255) }))
    .mutation(async ({ ctx, input }): Promise<PaymentEventRow> => {
      const { deps, session } = ctx;
      const stored = await readEvent(ctx, input.eventId);
      const fact = parsePaymentFact(stored.facts);
      if (fact === null) throw deny('BAD_REQUEST', 'This event concerns no payment.');
      if (deps.payments === null) throw deny('BAD_REQUEST', 'This installation takes no payments.');
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

async function readEvent({ deps }: Context, id: string): Promise<StoredEvent> {
  const event = await findPaymentEvent(deps.db, id);
  if (event === null) throw notFound('event');
  return event;
}

function toPaymentRow(payment: PaymentOfAccount): OperatorPaymentRow {
  const { id, accountId, accountName, kind, provider, state, failure, receiptNumber } = payment;
  return {
    id,
    accountId,
    accountName,
    kind,
    provider,
    state,
    failure,
    receiptNumber,
    createdAt: payment.createdAt.toISOString(),
    amountNanoUsd: (BigInt(payment.amountCents) * NANO_USD_PER_CENT).toString(),
  };
}

function toEventRow(event: StoredEvent): PaymentEventRow {
  const { id, type, paymentId, outcome, reason, facts } = event;
  return {
    id,
    type,
    receivedAt: event.receivedAt.toISOString(),
    paymentId,
    outcome,
    reason,
    canReplay: parsePaymentFact(facts) !== null,
    facts: facts === null ? null : JSON.stringify(facts, null, 2),
  };
}
