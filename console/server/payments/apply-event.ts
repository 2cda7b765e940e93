import {
  claimPaymentEvent,
  isPaymentEventKnown,
  recordEventOutcome,
} from '@tollgate/db/queries/payments/payment-events';
import { lockPaymentEvent } from '@tollgate/db/queries/operator/payments';
import {
  findNamedPayment,
  findPayment,
  lockPayment,
  type Payment,
} from '@tollgate/db/queries/payments/payments';
import type { ReportedTaxes } from '@tollgate/db/queries/payments/price-top-up';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import type { Deps } from '../deps.ts';
import type { Applied, ApplyContext, Refusal } from './apply-context.ts';
import { applyPaid } from './apply-paid.ts';
import { applyReversal } from './apply-reversal.ts';
import { applyUnpaid } from './apply-unpaid.ts';
import type { PaymentEvent, PaymentFact } from './payment-fact.ts';
import type { MethodDetails, PaymentProvider } from './provider.ts';

/**
 * The only place where a provider's event moves money. Each event is stored once; the event and all its changes are
 * one transaction, under a lock on the payment's row, so events may arrive twice, concurrently, late and in any
 * order:
 * - a payment is credited once, because its row records it and the ledger entry's key is the payment's id;
 * - a reversal has its own id and is deducted when there is something to deduct it from;
 * - an event about an earlier time cannot undo a later state.
 * @throws if the database or the provider does not respond: nothing changes, and the provider retries
 */
export async function applyEvent(deps: Deps, provider: PaymentProvider, event: PaymentEvent): Promise<void> {
  if (await isPaymentEventKnown(deps.db, event.id)) return;
  await dealWith(deps, provider, event, {
    take: (tx, now) => {
      const { fact: facts, ...head } = event;
      return claimPaymentEvent(tx, { ...head, facts, receivedAt: now });
    },
  });
}

/**
 * Applies a stored event again, by the same rules: changes that it already made are not repeated.
 * @returns false if it is not stored
 */
export async function replayEvent(
  deps: Deps,
  provider: PaymentProvider,
  event: PaymentEvent,
): Promise<boolean> {
  return dealWith(deps, provider, event, { take: (tx) => lockPaymentEvent(tx, event.id) });
}

/** @param claim.take makes the event this transaction's own; false: there is nothing to do */
async function dealWith(
  deps: Deps,
  provider: PaymentProvider,
  event: PaymentEvent,
  claim: { take: (tx: Connection, now: Date) => Promise<boolean> },
): Promise<boolean> {
  const { db, clock, log } = deps;
  // Asked before the transaction, which must not wait for another's server.
  const known = await lookAround(deps, provider, event.fact);
  const now = new Date(clock.nowMs());
  const { paymentId } = known;
  const result = await inTransaction(db, async (tx) => {
    if (!(await claim.take(tx, now))) return null;
    const applied = await applyAll(
      { tx, deps, provider, now, method: known.method, taxes: known.taxes },
      paymentId,
      known.facts,
    );
    await recordEventOutcome(tx, event.id, { ...applied, paymentId });
    return applied;
  });
  if (result === null) return false;
  const line = { eventId: event.id, eventType: event.type, paymentId, ...result };
  // Others may use the same account with the provider: their payments are none of ours.
  if (result.reason === 'unknown_payment') log.warn(line, 'payment event refused');
  else if (result.outcome === 'refused') log.error(line, 'payment event refused');
  else log.info(line, 'payment event');
  deps.onMailQueued();
  return true;
}

interface Surroundings {
  paymentId: string | null;
  facts: PaymentFact[];
  method: MethodDetails | null;
  taxes: ReportedTaxes | null;
}

const NOTHING: Omit<Surroundings, 'facts'> = { paymentId: null, method: null, taxes: null };

async function lookAround(
  deps: Deps,
  provider: PaymentProvider,
  fact: PaymentFact | null,
): Promise<Surroundings> {
  if (fact === null) return { ...NOTHING, facts: [] };
  const { intentId } = fact.ref;
  const payment = await findTold(deps, provider, fact);
  if (payment === null) return { ...NOTHING, facts: [fact] };
  const paymentId = payment.id;
  const taxes = await findTaxes(provider, payment, fact);
  if (intentId === null) return { ...NOTHING, paymentId, facts: [fact], taxes };
  if (fact.kind === 'refunds_changed')
    return { ...NOTHING, paymentId, facts: await provider.listRefunds(intentId) };
  const needsMethod = fact.kind === 'paid' && payment.methodBrand === null;
  const method = needsMethod ? await describeMethod(deps, provider, intentId) : null;
  return { paymentId, facts: [fact], method, taxes };
}

/** Taxes that the provider added on its page to a payment that is not credited yet. */
async function findTaxes(
  provider: PaymentProvider,
  payment: Payment,
  { kind, ref }: PaymentFact,
): Promise<ReportedTaxes | null> {
  const isOpen = payment.taxMode === 'stripe' && payment.addedTaxes === null && payment.paidAt === null;
  return kind === 'paid' && isOpen ? provider.readTaxes(payment, ref) : null;
}

/** A refund may arrive before its payment, and names only the intent: the provider knows the payment. */
async function findTold(
  { db }: Deps,
  provider: PaymentProvider,
  { ref }: PaymentFact,
): Promise<Payment | null> {
  const payment = await findNamedPayment(db, ref);
  if (payment !== null || ref.paymentId !== null || ref.intentId === null) return payment;
  const id = await provider.findPaymentId(ref.intentId);
  return id === null ? null : findPayment(db, id);
}

/** Who has paid must be credited, also while no one can say with which card. */
async function describeMethod(
  { log }: Deps,
  provider: PaymentProvider,
  intentId: string,
): Promise<MethodDetails | null> {
  try {
    return await provider.describeMethod(intentId);
  } catch {
    log.warn({ intentId }, 'the payment method could not be read');
    return null;
  }
}

interface Result {
  outcome: 'applied' | 'unchanged' | 'ignored' | 'refused';
  reason: Refusal | null;
}

async function applyAll(
  context: ApplyContext,
  paymentId: string | null,
  facts: PaymentFact[],
): Promise<Result> {
  let outcome: Result['outcome'] = 'ignored';
  for (const fact of facts) {
    // Read again for each: the one before may have changed it.
    const payment = paymentId === null ? null : await lockPayment(context.tx, paymentId);
    const applied: Applied =
      payment === null
        ? { outcome: 'refused', reason: 'unknown_payment' }
        : await applyFact(context, payment, fact);
    if (applied.outcome === 'refused') return applied;
    if (outcome !== 'applied') outcome = applied.outcome;
  }
  return { outcome, reason: null };
}

async function applyFact(context: ApplyContext, payment: Payment, fact: PaymentFact): Promise<Applied> {
  const refusal = findRefusal(context, payment, fact);
  if (refusal !== null) return { outcome: 'refused', reason: refusal };
  switch (fact.kind) {
    case 'paid':
      return applyPaid(context, payment, fact);
    case 'reversal':
      return applyReversal(context, payment, fact.reversal);
    case 'processing':
    case 'failed':
    case 'expired':
      return applyUnpaid(context, payment, fact);
    case 'refunds_changed':
      return { outcome: 'unchanged' };
  }
}

/** What holds of every fact: it must be about the very payment that we made, with the provider that we made it with. */
function findRefusal(
  { provider }: ApplyContext,
  payment: Payment,
  { kind, ref }: PaymentFact,
): Refusal | null {
  if (payment.provider !== provider.name) return 'other_provider';
  // A refund names no account; whatever comes from a payment's own page or intent does.
  const mustNameAccount = kind !== 'reversal' && kind !== 'refunds_changed';
  if (ref.accountId === null ? mustNameAccount : ref.accountId !== payment.accountId) return 'wrong_account';
  if (ref.paymentId !== null && ref.paymentId !== payment.id) return 'unknown_payment';
  const { checkoutSessionId, paymentIntentId } = payment;
  if (ref.sessionId !== null && checkoutSessionId !== null && ref.sessionId !== checkoutSessionId)
    return 'other_session';
  if (ref.intentId !== null && paymentIntentId !== null && ref.intentId !== paymentIntentId)
    return 'other_intent';
  return null;
}
