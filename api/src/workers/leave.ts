import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiDeps } from '../deps.ts';
import { drain } from '../drain.ts';
import { KEEP_ALIVE_BUFFER_MS, KEEP_ALIVE_MS } from '../runtime/keep-alive.ts';
import type { WorkerListener } from './worker-listener.ts';

/** Callers were promised that an idle connection stays open for as long. */
export const LINGER_MS = KEEP_ALIVE_MS + KEEP_ALIVE_BUFFER_MS;
const LOOK_MS = 50;

/**
 * Ends a worker after a new one has replaced it. It accepts no new connections, and the present ones end with their next response. An
 * idle connection is not closed, because a request may be on its way, before the time that its caller knows.
 * `/readyz` does not report this: the api as a whole stays ready.
 * @param stopping fires when the whole api ends: idle connections are not waited for any longer
 */
export async function leave(
  listener: WorkerListener,
  deps: ApiDeps,
  { timeoutMs, stopping }: { timeoutMs: number; stopping: AbortSignal },
): Promise<void> {
  listener.stopAccepting();
  deps.startDraining({ isReplaced: true });
  const deadlineMs = performance.now() + LINGER_MS;
  const isLingering = () => !stopping.aborted && performance.now() < deadlineMs;
  while (isLingering() && (await listener.countConnections()) > 0) await sleep(LOOK_MS);
  await drain(listener, deps, { delayMs: 0, timeoutMs });
}
