import {
  claimAutoTopUps,
  reclaimAutoTopUps,
  type AutoCharge,
} from '@tollgate/db/queries/payments/automatic-top-ups';
import { claimMaximaReached } from '@tollgate/db/queries/payments/auto-top-up-maximum';
import { inTransaction } from '@tollgate/db/transaction';
import type { Deps } from '../deps.ts';
import { describeError } from '../describe-error.ts';
import { applyEvent } from './apply-event.ts';
import type { PaymentFact } from './payment-fact.ts';
import type { PaymentProvider } from './provider.ts';
import { addTaxes, queueMaximumMail } from './tax-auto-top-up.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const BATCH = 20;
/** Accounts of one run whose members are notified that their maximum is reached. */
const EMAILS_AT_ONCE = 200;
/** An account is charged no more often than that, whatever its threshold and its use. */
const PAUSE_MS = MINUTE_MS;
/** Longer than the provider can take to answer, its retries included. */
const UNANSWERED_MS = 3 * MINUTE_MS;
/** Stripe forgets an idempotency key after a day: repeating the request later could charge again. */
const ASK_AGAIN_MS = 20 * HOUR_MS;

/**
 * Charges the accounts whose balance has fallen below their threshold. Any number of processes may do this at the
 * same time; if one dies after storing a payment, the next one continues it with the same idempotency key.
 */
export async function runAutoTopUps(deps: Deps): Promise<void> {
  const { db, clock, payments: provider } = deps;
  if (provider === null) return;
  const input = { provider: provider.name, now: new Date(clock.nowMs()), limit: BATCH };
  const unanswered = await reclaimAutoTopUps(db, { ...input, quietMs: UNANSWERED_MS });
  const due = await claimAutoTopUps(db, { ...input, pauseMs: PAUSE_MS });
  for (const charge of [...unanswered, ...due]) await chargeOne(deps, provider, charge);
  await reportMaxima(deps);
}

/** Marks the recipients and queues the emails in one transaction: exactly once, also with several consoles. */
async function reportMaxima(deps: Deps): Promise<void> {
  const now = new Date(deps.clock.nowMs());
  const count = await inTransaction(deps.db, async (tx) => {
    const reached = await claimMaximaReached(tx, { now, limit: EMAILS_AT_ONCE });
    for (const { accountId, amountCents, maxCents } of reached) {
      await queueMaximumMail(tx, deps, { accountId, amountCents, maxCents, now });
    }
    return reached.length;
  });
  if (count > 0) deps.onMailQueued();
}

async function chargeOne(deps: Deps, provider: PaymentProvider, charge: AutoCharge): Promise<void> {
  const { payment } = charge;
  const now = new Date(deps.clock.nowMs());
  try {
    const fact = await ask(deps, provider, { ...charge, now });
    const id = `answer:${payment.id}:${fact.kind}`;
    await applyEvent(deps, provider, { id, type: 'tollgate.charge', createdAt: now, fact });
  } catch (error) {
    deps.log.warn(
      { paymentId: payment.id, error: describeError(error) },
      'automatic top-up has no result yet',
    );
  }
}

async function ask(
  deps: Deps,
  provider: PaymentProvider,
  { now, ...charge }: AutoCharge & { now: Date },
): Promise<PaymentFact> {
  const { id: paymentId, accountId } = charge.payment;
  const { customerId, methodId } = charge;
  const ref = { paymentId, accountId, sessionId: null, intentId: null };
  if (now.getTime() - charge.payment.createdAt.getTime() > ASK_AGAIN_MS)
    return { kind: 'failed', ref, failure: 'The payment provider did not respond', isFinal: true };
  const taxed = await addTaxes(deps, provider, { charge, now });
  if (!taxed.ok) return { ...taxed.fact, ref };
  const { amountCents, taxCalculationId } = taxed.payment;
  return provider.chargeSavedMethod({
    paymentId,
    accountId,
    amountCents,
    customerId,
    methodId,
    taxCalculationId,
  });
}
