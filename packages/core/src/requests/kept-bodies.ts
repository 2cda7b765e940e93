import { z } from 'zod';

/** Maximum logged bytes of a payload; the rest is cut off. */
export const KEPT_BODY_BYTES = 256 * 1024;

export const MAX_BODY_RETENTION_DAYS = 30;

const RANGE = `Enter 1 to ${MAX_BODY_RETENTION_DAYS} days`;

/** Retention of an account's logged payloads, in days. */
export const bodyRetentionSchema = z.int(RANGE).min(1, RANGE).max(MAX_BODY_RETENTION_DAYS, RANGE);
