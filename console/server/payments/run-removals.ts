import {
  claimRemovals,
  finishRemoval,
  type ProviderRemoval,
} from '@tollgate/db/queries/payments/payment-removals';
import type { Deps } from '../deps.ts';
import { describeError } from '../describe-error.ts';
import type { PaymentProvider } from './provider.ts';

const BATCH = 20;

/** Lets the provider forget cards that were removed and people who are gone; until it has, it is asked again. */
export async function runRemovals(deps: Deps): Promise<void> {
  const { db, clock, payments: provider } = deps;
  if (provider === null) return;
  const input = { provider: provider.name, now: new Date(clock.nowMs()), limit: BATCH };
  for (const removal of await claimRemovals(db, input)) {
    try {
      await remove(provider, removal);
      await finishRemoval(db, removal);
    } catch (error) {
      const { kind, attempts } = removal;
      deps.log.warn(
        { kind, attempts, error: describeError(error) },
        'the payment provider has not deleted it yet',
      );
    }
  }
}

function remove(provider: PaymentProvider, { kind, reference }: ProviderRemoval): Promise<void> {
  switch (kind) {
    case 'customer':
      return provider.removeCustomer(reference);
    case 'method':
      return provider.removeMethod(reference);
  }
}
