import { z } from 'zod';

export const RANGES = ['today', '7d', '30d', '90d', '12m'] as const;
export type RangeName = (typeof RANGES)[number];

const STEPS = ['hour', 'day', 'month'] as const;
export type Step = (typeof STEPS)[number];

const GROUPINGS = ['model', 'key', 'tag', 'status'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const METRICS = ['spend', 'requests', 'tokens', 'latency', 'first-token'] as const;
export type Metric = (typeof METRICS)[number];

/** State of the usage page in the URL; defaults are omitted. */
export const usageSearchSchema = z.object({
  period: z.enum(RANGES).optional().catch(undefined),
  /** Days of the reader's calendar, both included; they go before `period`. */
  from: z.iso.date().optional().catch(undefined),
  to: z.iso.date().optional().catch(undefined),
  step: z.enum(STEPS).optional().catch(undefined),
  group: z.enum(GROUPINGS).optional().catch(undefined),
  metric: z.enum(METRICS).optional().catch(undefined),
  compare: z.literal('on').optional().catch(undefined),
  view: z.literal('table').optional().catch(undefined),
  /** Of one key or one model only. */
  key: z.coerce.string().min(1).max(64).optional().catch(undefined),
  model: z.coerce.string().max(200).optional().catch(undefined),
  /** Of the keys with this tag only; '': of keys without tags. */
  tag: z.coerce.string().max(64).optional().catch(undefined),
});

export type UsageSearch = z.infer<typeof usageSearchSchema>;
