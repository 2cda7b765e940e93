import { z } from 'zod';

export const BILLING_TABS = ['activity', 'payments'] as const;

/** State of the page in the URL; defaults are omitted. */
export const billingSearchSchema = z.object({
  tab: z.enum(BILLING_TABS).optional().catch(undefined),
  /** Absent if the activity is grouped by day. */
  entries: z.literal('all').optional().catch(undefined),
  /** The payment that the person returned from. */
  payment: z
    .string()
    .regex(/^pay_[0-9A-Za-z]{1,60}$/)
    .optional()
    .catch(undefined),
});
