import { defineQueuedJob } from '../jobs/job-kind.ts';

/** Deletes removed cards and deleted customers at the payment provider; retried until it succeeds. */
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
