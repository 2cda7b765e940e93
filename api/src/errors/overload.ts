import type { ErrorCode, GatewayError } from '@tollgate/core/errors/errors';

const CODES: ReadonlySet<ErrorCode> = new Set(['upstream_overloaded', 'upstream_paused', 'upstream_busy']);

/** True if the provider is overloaded or paused, or has reached its maximum of requests in progress. */
export function isOverload({ code }: Pick<GatewayError, 'code'>): boolean {
  return CODES.has(code);
}
