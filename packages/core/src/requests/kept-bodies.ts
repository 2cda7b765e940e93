import { z } from 'zod';

/** So many bytes of a body are kept, its beginning. */
export const KEPT_BODY_BYTES = 256 * 1024;

export const MAX_BODY_RETENTION_DAYS = 30;

const RANGE = `Enter 1 to ${MAX_BODY_RETENTION_DAYS} days`;

/** How long an account keeps what was asked and answered, in days. */
export const bodyRetentionSchema = z.int(RANGE).min(1, RANGE).max(MAX_BODY_RETENTION_DAYS, RANGE);
