import type { ApiDeps } from '../deps.ts';
import type { Exchange } from '../exchange.ts';

/** `GET /healthz`: the process is alive. */
export function answerHealth(exchange: Exchange): void {
  exchange.send(200, 'application/json', '{"status":"ok"}');
}

/** `GET /readyz`: may new requests be sent here, and what works less well than it should. */
export async function answerReadiness(deps: ApiDeps, exchange: Exchange): Promise<void> {
  const database = await isDatabaseUp(deps);
  const checks = {
    database: database ? 'ok' : 'unreachable',
    change_feed: deps.feed.isHearing() ? 'ok' : 'deaf: keys are read again every second',
    recorder: `${deps.recorder.waiting} requests wait to be recorded`,
  };
  const isReady = database && !deps.isDraining();
  const status = deps.isDraining() ? 'draining' : isReady ? 'ready' : 'unavailable';
  exchange.send(isReady ? 200 : 503, 'application/json', JSON.stringify({ status, checks }));
}

async function isDatabaseUp(deps: ApiDeps): Promise<boolean> {
  try {
    await deps.db.sql`SELECT 1`;
    return true;
  } catch {
    return false;
  }
}
