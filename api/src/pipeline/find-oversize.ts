import type { GatewayError } from '@tollgate/core/errors/errors';
import { OversizeEventError } from '@tollgate/dialects/sse/oversize-event';
import { NoEventMemory } from './answer-store.ts';
import type { AttemptContext } from './attempt-context.ts';
import { NO_MEMORY_FOR_ANSWER, OVERSIZE_ANSWER } from './upstream-failure.ts';

/** The caller's error if a response was too large, which is logged. @returns null if another error was thrown */
export function findOversize({ relay, log }: AttemptContext, error: unknown): GatewayError | null {
  const isMemory = error instanceof NoEventMemory;
  if (!isMemory && !(error instanceof OversizeEventError)) return null;
  log.warn({ requestId: relay.exchange.requestId, err: error }, 'a response was too large');
  return isMemory ? NO_MEMORY_FOR_ANSWER : OVERSIZE_ANSWER;
}
