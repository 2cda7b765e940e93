import type { Payment } from '@tollgate/db/queries/payments/payments';
import { claimQuietPayments } from '@tollgate/db/queries/payments/automatic-top-ups';
import type { Deps } from '../deps.ts';
import { describeError } from '../describe-error.ts';
import { applyEvent } from './apply-event.ts';
import type { PaymentProvider } from './provider.ts';

const QUIET_MS = 10 * 60_000;
const BATCH = 20;

/** Queries the provider for payments without an event, so that a lost event does not lose the credit. */
export async function lookUpPayments(deps: Deps): Promise<void> {
  const { db, clock, payments: provider } = deps;
  if (provider === null) return;
  const now = new Date(clock.nowMs());
  const quiet = { provider: provider.name, now, quietMs: QUIET_MS, limit: BATCH };
  for (const payment of await claimQuietPayments(db, quiet)) await lookUp(deps, provider, payment);
}

async function lookUp(deps: Deps, provider: PaymentProvider, payment: Payment): Promise<void> {
  try {
    const fact = await provider.lookUp(payment);
    if (fact === null) return;
    const id = `look-up:${payment.id}:${fact.kind}`;
    const createdAt = new Date(deps.clock.nowMs());
    await applyEvent(deps, provider, { id, type: 'tollgate.look_up', createdAt, fact });
  } catch (error) {
    deps.log.warn({ paymentId: payment.id, error: describeError(error) }, 'a payment cannot be looked up');
  }
}
