import { z } from 'zod';

export const OVERVIEW_RANGES = ['today', '7d', '30d'] as const;
/** Days of each range, today included. */
export const OVERVIEW_DAYS = { today: 1, '7d': 7, '30d': 30 } as const;
export type OverviewRange = (typeof OVERVIEW_RANGES)[number];

export const OVERVIEW_METRICS = ['spend', 'tokens', 'requests'] as const;
export type OverviewMetric = (typeof OVERVIEW_METRICS)[number];

/** State of the page in the URL; defaults are omitted. */
export const overviewSearchSchema = z.object({
  period: z.enum(OVERVIEW_RANGES).optional().catch(undefined),
  metric: z.enum(OVERVIEW_METRICS).optional().catch(undefined),
});
