import { z } from 'zod';

export const BILLING_TABS = ['activity', 'payments'] as const;

/** What of the page is shown, kept in the URL. The defaults are absent from it. */
export const billingSearchSchema = z.object({
  tab: z.enum(BILLING_TABS).optional().catch(undefined),
  /** The payment that someone has just come back from. */
  payment: z
    .string()
    .regex(/^pay_[0-9A-Za-z]{1,60}$/)
    .optional()
    .catch(undefined),
});
