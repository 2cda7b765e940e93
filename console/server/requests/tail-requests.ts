import { setTimeout as wait } from 'node:timers/promises';
import type { RequestFilter } from '@tollgate/core/requests/request-filter';
import type { Database } from '@tollgate/db/client';
import { findRole } from '@tollgate/db/queries/team/members';
import { listRequests, readRequests } from '@tollgate/db/queries/requests/list-requests';
import type { RequestRow } from '@tollgate/db/queries/requests/request-row';
import type { Clock } from '@tollgate/core/runtime/clock';

const PACE = { everyMs: 1_000, recheckEveryRounds: 10 };
/** Maximum number of requests per event. */
const NEWEST = 200;
const SCANNED_ROWS = 2_000;
/** Ordered by start: an unheld request that ends long after that is found by reloading. */
const LOOK_BACK_MS = 10 * 60_000;
/** Each asks the database once a second. */
const MAX_TAILS = 200;
const MAX_TAILS_PER_SESSION = 8;

/** `gap`: more requests arrived than can be sent; the log must be reloaded. */
export type TailEvent = { kind: 'rows'; rows: RequestRow[] } | { kind: 'gap' };

export interface Tailed {
  db: Database;
  clock: Clock;
  accountId: string;
  userId: string;
  filter: RequestFilter;
  signal: AbortSignal | undefined;
  /** Polls more often than every second: for tests. */
  pace?: typeof PACE;
}

const tailsBySession = new Map<string, number>();
let tails = 0;

/** Takes one of the process's slots for live logs. @returns a function that releases it; null if all are in use */
export function takeTail(sessionId: string): (() => void) | null {
  const own = tailsBySession.get(sessionId) ?? 0;
  if (tails >= MAX_TAILS || own >= MAX_TAILS_PER_SESSION) return null;
  tails += 1;
  tailsBySession.set(sessionId, own + 1);
  return () => {
    tails -= 1;
    const left = (tailsBySession.get(sessionId) ?? 1) - 1;
    if (left === 0) tailsBySession.delete(sessionId);
    else tailsBySession.set(sessionId, left);
  };
}

/**
 * Sends new and finished requests, starting with the newest. Each round reads the newest rows by the index, and
 * requests in progress by their ids. Ends with the signal, or when the user is no longer a member.
 */
export async function* tailRequests(tailed: Tailed): AsyncGenerator<TailEvent> {
  const { db, accountId, userId, signal, pace = PACE } = tailed;
  let known = new Map<string, RequestRow>();
  const isOver = () => signal?.aborted === true;
  for (let round = 0; !isOver(); round++) {
    if (
      round > 0 &&
      round % pace.recheckEveryRounds === 0 &&
      (await findRole(db, { userId, accountId })) === null
    )
      return;
    const newest = await readNewest(tailed);
    const newestIds = new Set(newest.map((row) => row.id));
    const open = [...known.values()].filter((row) => row.state === 'held' && !newestIds.has(row.id));
    const rows = [...newest, ...(await readRequests(db, { accountId, requests: open }))];
    const changed = rows.filter((row) => hasChanged(known.get(row.id), row));
    const isGap = newest.length === NEWEST && known.size > 0 && !newest.some((row) => known.has(row.id));
    known = new Map(
      rows.filter((row) => newestIds.has(row.id) || row.state === 'held').map((row) => [row.id, row]),
    );
    if (isGap) yield { kind: 'gap' };
    if (changed.length > 0) yield { kind: 'rows', rows: changed };
    await pause(pace.everyMs, signal);
  }
}

async function readNewest({ db, clock, accountId, filter }: Tailed): Promise<RequestRow[]> {
  const nowMs = clock.nowMs();
  const { range: _range, to: _to, ...rest } = filter;
  const page = await listRequests(db, {
    accountId,
    filter: { ...rest, from: new Date(nowMs - LOOK_BACK_MS).toISOString() },
    limit: NEWEST,
    nowMs,
    scannedRows: SCANNED_ROWS,
  });
  return page.requests;
}

/** A request is sent when it starts, when it ends, and when an estimate is replaced by exact usage. */
function hasChanged(before: RequestRow | undefined, now: RequestRow): boolean {
  return before === undefined || before.state !== now.state || before.recovered !== now.recovered;
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(milliseconds, undefined, { ...(signal !== undefined && { signal }), ref: false });
  } catch {
    // The reader has disconnected: the loop notices it.
  }
}
