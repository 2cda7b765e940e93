import { changePayment, type Payment } from '@tollgate/db/queries/payments/payments';
import { countAutoTopUpFailure } from '@tollgate/db/queries/payments/automatic-top-ups';
import { autoTopUpOffMail } from '../mail/payment-templates.ts';
import { showCents } from './amounts.ts';
import type { Applied, ApplyContext } from './apply-context.ts';
import type { PaymentFact } from './payment-fact.ts';
import { queueBillingMail } from './queue-billing-mail.ts';

const HOUR_MS = 3_600_000;
/** After the first automatic top-up that failed, and the second; the third switches them off. */
const RETRY_AFTER_MS = [HOUR_MS, 12 * HOUR_MS];

type Unpaid = Extract<PaymentFact, { kind: 'processing' | 'failed' | 'expired' }>;

/** A pending or failed payment. A paid one stays paid, whatever arrives later. */
export async function applyUnpaid(context: ApplyContext, payment: Payment, fact: Unpaid): Promise<Applied> {
  if (payment.state !== 'created' && payment.state !== 'pending') return { outcome: 'unchanged' };
  const { tx } = context;
  const names = {
    paymentIntentId: payment.paymentIntentId ?? fact.ref.intentId,
    checkoutSessionId: payment.checkoutSessionId ?? fact.ref.sessionId,
  };
  if (fact.kind === 'processing') {
    if (payment.state === 'pending') return { outcome: 'unchanged' };
    await changePayment(tx, payment.id, { ...names, state: 'pending' });
    return { outcome: 'applied' };
  }
  if (fact.kind === 'expired') {
    await changePayment(tx, payment.id, { ...names, state: 'expired' });
    return { outcome: 'applied' };
  }
  // In an automatic top-up, no user can try another card.
  const isFinal = fact.isFinal || payment.kind === 'auto';
  const failed = await changePayment(tx, payment.id, {
    ...names,
    failure: fact.failure ?? payment.failure ?? 'The bank declined the payment',
    state: isFinal ? 'failed' : payment.state,
  });
  if (isFinal && payment.kind === 'auto') await countFailure(context, failed);
  return { outcome: 'applied' };
}

async function countFailure({ tx, deps, now }: ApplyContext, payment: Payment): Promise<void> {
  const { accountId } = payment;
  const isOff = await countAutoTopUpFailure(tx, { accountId, now, retryAfterMs: RETRY_AFTER_MS });
  if (!isOff) return;
  await queueBillingMail(tx, deps, accountId, (accountName) =>
    autoTopUpOffMail({
      accountName,
      amountUsd: showCents(payment.amountCents),
      failure: payment.failure ?? '',
      link: `${deps.settings.publicConsoleUrl}/billing`,
    }),
  );
}
