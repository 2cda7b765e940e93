import type { Server } from 'node:http';
import type { ApiDeps } from './deps.ts';

/** After the limit, what is still under way gets so long to take its error. */
const CUT_GRACE_MS = 1_000;

/**
 * Ends the api in order: no new connection, completions under way finish within `limitMs` (or end with an error in
 * their stream), then what waits is recorded and every connection closes.
 */
export async function drain(server: Server, deps: ApiDeps, limitMs: number): Promise<void> {
  deps.startDraining();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  if (!(await deps.inFlight.waitUntilEmpty(limitMs))) {
    const message = 'The gateway is shutting down and could not wait for the end of this answer. Try again.';
    deps.inFlight.cutAll({ code: 'shutting_down', message });
    await deps.inFlight.waitUntilEmpty(CUT_GRACE_MS);
  }
  // What was written is on its way out; connections that are kept alive end here.
  server.closeIdleConnections();
  const grace = setTimeout(() => server.closeAllConnections(), CUT_GRACE_MS);
  await closed;
  clearTimeout(grace);
  await deps.close();
}
