import type { GatewayError } from '@tollgate/core/errors/errors';
import type { BodyCollector } from './body-collector.ts';
import { isTooSlow, SLOW_BODY, type BodyPace } from './read-limits.ts';

/** Checks periodically that a body arrives fast enough. @returns a function that stops the checks */
export function watchPace(
  collector: BodyCollector,
  pace: BodyPace,
  onSlow: (error: GatewayError) => void,
): () => void {
  let elapsedMs = 0;
  let lastByteMs = 0;
  let seenBytes = 0;
  const timer = setInterval(() => {
    elapsedMs += pace.checkEveryMs;
    const { receivedBytes } = collector;
    if (receivedBytes > seenBytes) lastByteMs = elapsedMs;
    seenBytes = receivedBytes;
    if (isTooSlow(pace, { receivedBytes, elapsedMs, lastByteMs })) onSlow(SLOW_BODY);
  }, pace.checkEveryMs);
  return () => clearInterval(timer);
}
