import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiDeps } from './deps.ts';

/** After the limit, completions in flight have this long to receive their error. */
const CUT_GRACE_MS = 1_000;

/** What accepts connections. */
export interface Listening {
  close(onClosed: () => void): unknown;
  closeIdleConnections(): void;
  closeAllConnections(): void;
}

export interface DrainLimits {
  /** How long requests are served while `/readyz` already answers 503, so that load balancers notice. */
  delayMs: number;
  /** How long completions in flight may take after that. */
  timeoutMs: number;
}

/**
 * Shuts the api down in order. `/readyz` answers 503 throughout. First, requests are still served until load balancers
 * notice; then new ones are refused, and those in flight finish or end with an error in their stream; then pending
 * records are written and every connection closes.
 */
export async function drain(
  server: Listening,
  deps: ApiDeps,
  { delayMs, timeoutMs }: DrainLimits,
): Promise<void> {
  deps.startDraining();
  if (delayMs > 0) await sleep(delayMs);
  deps.startRefusing();
  if (!(await deps.inFlight.waitUntilEmpty(timeoutMs))) {
    const message = 'The gateway is shutting down and could not wait for the end of this answer. Try again.';
    deps.inFlight.stopAll({ code: 'shutting_down', message });
    await deps.inFlight.waitUntilEmpty(CUT_GRACE_MS);
  }
  // Their callers get the last byte afterwards.
  await deps.stored.waitUntilStored();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Those without a response have closed before.
  deps.sockets.drain();
  // Written responses are on their way; idle keep-alive connections close here.
  server.closeIdleConnections();
  const grace = setTimeout(() => {
    server.closeAllConnections();
    deps.sockets.terminate();
  }, CUT_GRACE_MS);
  await closed;
  clearTimeout(grace);
  await deps.close();
}
