import { deny, type GatewayError } from '@tollgate/core/errors/errors';
import type { BodyReservation, BodyShortage } from './body-budget.ts';
import type { ReadTurns } from './read-turns.ts';

export const BROKEN_BODY = 'The request body ended before it was complete.';

/** Limits for reading one body. */
export interface ReadLimits {
  maxBytes: number;
  /** Reserves every byte before it is read. */
  reservation: BodyReservation;
  pace: BodyPace;
  turns: ReadTurns;
  /** Readers of different owners (accounts) take turns. */
  owner: string;
}

/** How slowly a body may arrive. A slow sender blocks memory that others need. */
export interface BodyPace {
  /** Limit for the first bytes, and for pauses between bytes. */
  graceMs: number;
  /** The required average after that. */
  minBytesPerSecond: number;
  checkEveryMs: number;
}

export const DEFAULT_BODY_PACE: BodyPace = {
  graceMs: 10_000,
  minBytesPerSecond: 16 * 1024,
  checkEveryMs: 1_000,
};

export function tooLarge(limitBytes: number) {
  return deny('request_too_large', `The request body is larger than ${limitBytes / 1024 / 1024} MiB.`);
}

export function shortageError(shortage: BodyShortage): GatewayError {
  switch (shortage) {
    case 'account':
      return {
        code: 'rate_limit_bodies',
        message:
          'This account has too many bytes of request bodies in progress. Send fewer large requests at the same time.',
      };
    case 'process':
      return {
        code: 'gateway_overloaded',
        message: 'The gateway has no memory left for request bodies. Try again.',
      };
  }
}

export const SLOW_BODY: GatewayError = {
  code: 'request_timeout',
  message: 'The request body arrived too slowly.',
};

/** True if a body arrives too slowly. Times are in milliseconds since the read started. */
export function isTooSlow(
  pace: BodyPace,
  { receivedBytes, elapsedMs, lastByteMs }: { receivedBytes: number; elapsedMs: number; lastByteMs: number },
): boolean {
  if (elapsedMs - lastByteMs > pace.graceMs) return true;
  const dueMs = elapsedMs - pace.graceMs;
  return dueMs > 0 && receivedBytes < (dueMs / 1000) * pace.minBytesPerSecond;
}
