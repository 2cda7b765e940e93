import { z } from 'zod';

/** The longest retention of each kind of data that accounts may store, in days. */
export const MAX_RETENTION_DAYS = {
  /** Logged payloads of requests. */
  bodies: 30,
  /** Stored responses. */
  responses: 90,
};

export type RetentionKind = keyof typeof MAX_RETENTION_DAYS;

export const RETENTION_KINDS = Object.keys(MAX_RETENTION_DAYS) as RetentionKind[];

/** An account's retention of one kind, in days. */
export function retentionSchema(kind: RetentionKind) {
  const range = `Enter 1 to ${MAX_RETENTION_DAYS[kind]} days`;
  return z.int(range).min(1, range).max(MAX_RETENTION_DAYS[kind], range);
}
