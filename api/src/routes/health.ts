import type { LedgerHealth } from '@tollgate/ledger/ledger';
import { checkDisk, checkFileHandles } from '@tollgate/db/machine-health';
import { isReachable } from '@tollgate/db/queries/system/health';
import type { ApiDeps } from '../deps.ts';
import type { Exchange } from '../exchange.ts';
import type { WorkersState } from '../workers/messages.ts';

/** `HEAD /`: clients such as Claude Code check with it that the address responds. */
export function answerRoot(exchange: Exchange): void {
  exchange.send(200, 'text/plain; charset=utf-8', '');
}

/** `GET /healthz`: the process is alive. */
export function answerHealth(exchange: Exchange): void {
  exchange.send(200, 'application/json', '{"status":"ok"}');
}

/** `GET /readyz`: whether to send new requests here, and what is degraded. */
export async function answerReadiness(deps: ApiDeps, exchange: Exchange): Promise<void> {
  const [database, disk, handles] = await Promise.all([
    isReachable(deps.db),
    checkDisk(deps.spoolDirectory),
    checkFileHandles(),
  ]);
  const checks = {
    database: database ? 'ok' : 'down',
    change_feed: deps.feed.isHearing() ? 'ok' : 'disconnected: keys are read again every second',
    ...describeWorkers(deps.workers()),
    limits: LIMITS_HEALTH[deps.limits.health()],
    ledger: describeLedger(deps.ledger.health),
    disk: disk.detail,
    file_handles: handles.detail,
  };
  const isShort = [disk, handles].some(({ state }) => state === 'low' || state === 'exhausted');
  const isReady = database && deps.ledger.health.isWritable && !isEnding(deps);
  const status = getStatus(deps, { isReady, isShort: isShort || !areAllReady(deps.workers()) });
  exchange.send(isReady ? 200 : 503, 'application/json', JSON.stringify({ status, checks }));
}

const LIMITS_HEALTH = {
  memory: 'ok: in the memory of this replica',
  redis: 'ok: in Redis',
  degraded: 'degraded: Redis does not respond, so each replica counts separately',
  unavailable: 'unavailable: the supervisor does not respond, so requests with limits are refused',
} as const;

/** A worker that is replaced serves its last connections; the api as a whole is ready. */
function isEnding(deps: ApiDeps): boolean {
  return deps.isDraining() && !deps.isReplaced();
}

function areAllReady(workers: WorkersState | null): boolean {
  return workers === null || workers.ready >= workers.workers;
}

/** Of one process there is nothing to say. */
function describeWorkers(state: WorkersState | null): { workers?: string } {
  if (state === null) return {};
  const { ready, workers } = state;
  const text = `${Math.min(ready, workers)} of ${workers} are ready`;
  return { workers: areAllReady(state) ? `ok: ${text}` : `degraded: ${text}` };
}

function getStatus(deps: ApiDeps, { isReady, isShort }: { isReady: boolean; isShort: boolean }): string {
  if (isEnding(deps)) return 'draining';
  if (!isReady) return 'unavailable';
  return isShort || deps.limits.health() === 'degraded' || deps.limits.health() === 'unavailable'
    ? 'degraded'
    : 'ready';
}

function describeLedger(health: LedgerHealth): string {
  const { isWritable, waiting, spooledBytes, isSpoolFull } = health;
  const journal = health.isJournalWritable ? '' : ', the journal cannot be written: is the disk full?';
  const kept = (spooledBytes > 0 ? `, ${spooledBytes} bytes in the spool` : '') + journal;
  if (isSpoolFull) return `the spool is full${kept}`;
  return isWritable ? `ok: ${waiting} requests wait to be recorded${kept}` : `unwritable${kept}`;
}
