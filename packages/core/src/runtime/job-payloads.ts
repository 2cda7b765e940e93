import { z } from 'zod';

/** Payloads of the jobs that are queued together with other changes. They contain ids only, never secrets. */
export const JOB_PAYLOADS = {
  'deliver-mail': z.object({ mailId: z.string() }),
  'remove-payment-data': z.object({
    provider: z.enum(['stripe', 'test']),
    /** A customer is deleted together with all of their methods. */
    kind: z.enum(['customer', 'method']),
    /** The provider's id. */
    reference: z.string(),
  }),
  'verify-ledger': z.object({ checkId: z.string() }),
};

export type QueuedJob = keyof typeof JOB_PAYLOADS;
export type JobPayload<Name extends QueuedJob> = z.infer<(typeof JOB_PAYLOADS)[Name]>;
