import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@tollgate/db/client';
import { sumUsage } from '@tollgate/db/queries/usage/usage';

const RECORDING_TIMEOUT_MS = 30_000;
const BACKLOG_TIMEOUT_MS = 60_000;

/** The processes of PostgreSQL that write what the gateway of a database holds and settles. */
export async function findLedgerBackends(db: Database): Promise<readonly number[]> {
  const rows = await db.sql<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'tollgate ledger'`;
  return rows.map(({ pid }) => pid);
}

/** How many requests the usage tables know, once they know at least so many or half a minute has passed. */
export async function countRecorded(db: Database, atLeast: number, signal: AbortSignal): Promise<number> {
  const deadline = Date.now() + RECORDING_TIMEOUT_MS;
  for (;;) {
    const { requests } = await sumUsage(db, { accountId: null, keyId: null, since: null });
    if (requests >= atLeast || Date.now() > deadline) return requests;
    await sleep(200, undefined, { signal });
  }
}

/** Waits until the gateway, which is asked nothing, has recorded what it answered: for a second nothing came; a minute at most. */
export async function untilRecorded(db: Database, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + BACKLOG_TIMEOUT_MS;
  for (let [before, now] = [-1, 0]; now !== before && Date.now() < deadline;) {
    before = now;
    await sleep(1_000, undefined, { signal });
    now = (await sumUsage(db, { accountId: null, keyId: null, since: null })).requests;
  }
}

/** Waits until nothing is held any more: what clients gave up at the end of a round settles a moment later. */
export async function countHeld(db: Database, signal: AbortSignal): Promise<number> {
  const deadline = Date.now() + RECORDING_TIMEOUT_MS;
  for (;;) {
    const [row] = await db.sql<{ held: number }[]>`SELECT count(*)::integer AS held FROM held_requests`;
    const held = row?.held ?? Number.NaN;
    if (held === 0 || Date.now() > deadline) return held;
    await sleep(200, undefined, { signal });
  }
}
