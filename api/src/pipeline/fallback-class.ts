import type { FallbackClass } from '@tollgate/core/models/fallback-model';
import type { GatewayError } from '@tollgate/core/errors/errors';
import { isOverload } from '../errors/overload.ts';
import type { AttemptFailure } from './attempt-failure.ts';

/** Responses of providers that have too much to do. */
const OVERLOAD_STATUSES: ReadonlySet<number> = new Set([429, 503, 529]);

/** Which fallback models are tried after the last attempt at a model. */
export function classifyFailure({ cause, status, error }: AttemptFailure): FallbackClass {
  if (cause === 'context_length') return 'context';
  if (cause === 'content_policy') return 'policy';
  if (status !== null && OVERLOAD_STATUSES.has(status)) return 'overload';
  return classifyError(error);
}

/** The same if no route could be called. */
export function classifyError(error: Pick<GatewayError, 'code'>): FallbackClass {
  return isOverload(error) ? 'overload' : 'failure';
}

/** True if a fallback model with these classes is tried. */
export function coversClass(classes: readonly FallbackClass[], of: FallbackClass): boolean {
  return classes.includes(of) || (of === 'overload' && classes.includes('failure'));
}
