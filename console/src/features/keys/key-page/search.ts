import { z } from 'zod';

export const KEY_PERIODS = ['7d', '30d', '90d'] as const;
export const KEY_METRICS = ['spend', 'requests', 'tokens'] as const;

/** State of the key page in the URL. Defaults are omitted. */
export const keyPageSearchSchema = z.object({
  period: z.enum(KEY_PERIODS).optional().catch(undefined),
  metric: z.enum(KEY_METRICS).optional().catch(undefined),
  view: z.literal('table').optional().catch(undefined),
  /** Show only failed requests. */
  show: z.literal('failed').optional().catch(undefined),
});

export type KeyPageSearch = z.infer<typeof keyPageSearchSchema>;
