import { z } from 'zod';
import { isStorable } from '../text/printable.ts';
import { parseUsd } from '../money/money.ts';
import { findFirstHour, timeZoneSchema } from './last-days.ts';
import { MAX_SESSION_NAME } from './session-name.ts';

/** Default time range of the request log. */
export const DEFAULT_REQUEST_RANGE = '7d';

const HOUR_MS = 3_600_000;

export const REQUEST_RANGES = ['1h', '24h', '7d', '30d', '90d'] as const;
export type RequestRange = (typeof REQUEST_RANGES)[number];

const RANGES = {
  '1h': { hours: 1 },
  '24h': { hours: 24 },
  '7d': { days: 7 },
  '30d': { days: 30 },
  '90d': { days: 90 },
} as const satisfies Record<RequestRange, { hours: number } | { days: number }>;

/**
 * The start of a range that ends at `nowMs`, in milliseconds since 1970. Hours are counted back from then; days are those of
 * {@link findFirstHour}, so that the log has the same requests as usage.
 */
export function findRangeStart(
  range: RequestRange,
  { timeZone, nowMs }: { timeZone: string; nowMs: number },
): number {
  const length = RANGES[range];
  if ('hours' in length) return nowMs - length.hours * HOUR_MS;
  return findFirstHour({ days: length.days, timeZone, nowMs });
}

const isoMoment = z.iso.datetime({ offset: true, error: 'Enter a date and time' });

/**
 * Filter for an account's requests, shared by the console's URLs, procedures and exports. Absent
 * fields match every request.
 */
export const REQUEST_FILTER_FIELDS = {
  /** Key ID. */
  key: z.string().max(64),
  model: z.string().trim().min(1).max(200),
  /** The name of a session. */
  session: z.string().trim().min(1).max(MAX_SESSION_NAME).refine(isStorable, 'Not the name of a session'),
  /** A class (`4xx`), a status (`429`), `failed` for all incomplete responses, or `open` for in-flight requests. */
  status: z
    .string()
    .regex(/^(?:[245]xx|[1-5]\d\d|failed|open)$/, 'Enter 2xx, 4xx, 5xx or a status such as 429'),
  /** An error code from the error table. */
  code: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  /** A client of `CLIENTS`, such as `codex`, or a family of user agents. */
  client: z
    .string()
    .regex(/^[A-Za-z][\w.-]{0,19}(?:\/[A-Za-z][\w.-]{0,18})?$/, 'Enter a client such as codex'),
  /** Time before now; `from` and `to` take precedence. */
  range: z.enum(REQUEST_RANGES),
  /** Time zone of a range in days. Default: UTC. */
  zone: timeZoneSchema,
  from: isoMoment,
  /** Exclusive. */
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

/** A request ID that a user pasted. */
export const requestIdSchema = z
  .string()
  .trim()
  .regex(/^req_[0-9A-Za-z]{1,60}$/, 'A request ID begins with req_');
