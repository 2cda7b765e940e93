import { z } from 'zod';
import { parseUsd } from '../money/money.ts';

/** How far back the request log looks, where nothing else is said. */
export const DEFAULT_REQUEST_RANGE = '7d';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What can be chosen of the past, in milliseconds back from now. */
export const REQUEST_RANGES_MS = {
  '1h': HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '90d': 90 * DAY_MS,
} as const;

export type RequestRange = keyof typeof REQUEST_RANGES_MS;
export const REQUEST_RANGES = ['1h', '24h', '7d', '30d', '90d'] as const satisfies readonly RequestRange[];

const isoMoment = z.iso.datetime({ offset: true, error: 'Enter a date and time' });

/**
 * Which requests of an account are asked for: the same in the console's URLs, its procedures and its exports. What is
 * absent holds for every request.
 */
export const REQUEST_FILTER_FIELDS = {
  /** A key's id. */
  key: z.string().max(64),
  model: z.string().trim().min(1).max(200),
  /** A class (`4xx`), one status (`429`), `failed` for all that was not answered in full, `open` for those under way. */
  status: z
    .string()
    .regex(/^(?:[245]xx|[1-5]\d\d|failed|open)$/, 'A status is 2xx, 4xx, 5xx or a number like 429'),
  /** From the error table. */
  code: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  /** Back from now; `from` and `to` go before it. */
  range: z.enum(REQUEST_RANGES),
  from: isoMoment,
  /** Up to, not including. */
  to: isoMoment,
  /** In USD. */
  minCost: z
    .string()
    .trim()
    .max(24)
    .refine((text) => parseUsd(text) !== null, 'Enter an amount in USD, such as 0.05'),
} as const;

export const requestFilterSchema = z.object(REQUEST_FILTER_FIELDS).partial();
export type RequestFilter = z.infer<typeof requestFilterSchema>;

/** A request's id, as people paste it. */
export const requestIdSchema = z
  .string()
  .trim()
  .regex(/^req_[0-9A-Za-z]{1,60}$/, 'A request id begins with req_');
