import { defineQueuedJob } from '../jobs/job-kind.ts';

/** Lets the payment provider delete cards that were removed and customers who are gone; retried until it has. */
export const removePaymentDataJob = defineQueuedJob({
  name: 'remove-payment-data',
  backoff: { firstSeconds: 60, maxSeconds: 86_400 },
  timeoutSeconds: 300,
  pollSeconds: 30,
  concurrency: 1,
  canRun: ({ payments }) => payments !== null,
  run: async ({ payments: provider }, { provider: name, kind, reference }) => {
    if (provider?.name !== name) throw new Error(`${name} is not the payment provider of this console`);
    switch (kind) {
      case 'customer':
        return provider.removeCustomer(reference);
      case 'method':
        return provider.removeMethod(reference);
    }
  },
});
