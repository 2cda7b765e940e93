import type { Buffer } from 'node:buffer';
import type { GatewayError } from '@tollgate/core/errors/errors';
import type { AttemptContext } from './attempt-context.ts';
import { findOversize } from './find-oversize.ts';
import { logError } from './log-attempt.ts';
import type { Finished, Relay, Taken } from './relay.ts';
import { BROKEN_GATEWAY } from './upstream-failure.ts';

/** Passes a chunk on. Never throws. */
export function takeSafely(context: AttemptContext, relay: Relay, chunk: Buffer): Taken {
  try {
    const taken = relay.take(chunk);
    if (taken === 'wait') context.relay.settlement.watch?.noteHeldUp();
    return taken;
  } catch (error) {
    return findOversize(context, error) ?? noteError(context, error);
  }
}

/** Ends a response. Never throws. */
export function finishSafely<Result extends Finished>(
  context: AttemptContext,
  finish: () => Result,
): Result | GatewayError {
  try {
    return finish();
  } catch (error) {
    return noteError(context, error);
  }
}

/** Turns any exception into an error response: the transport would not report it to the caller. */
export function noteError(context: AttemptContext, error: unknown): GatewayError {
  logError(context, error, 'a response could not be forwarded to its caller');
  return BROKEN_GATEWAY;
}
