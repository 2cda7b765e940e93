import { z } from 'zod';

export const KEY_PERIODS = ['7d', '30d', '90d'] as const;
export const KEY_METRICS = ['spend', 'requests', 'tokens'] as const;

/** What of a key's page is shown, kept in the URL. The defaults are absent from it. */
export const keyPageSearchSchema = z.object({
  period: z.enum(KEY_PERIODS).optional().catch(undefined),
  metric: z.enum(KEY_METRICS).optional().catch(undefined),
  view: z.literal('table').optional().catch(undefined),
  /** Of the requests, only those that failed. */
  show: z.literal('failed').optional().catch(undefined),
});

export type KeyPageSearch = z.infer<typeof keyPageSearchSchema>;
