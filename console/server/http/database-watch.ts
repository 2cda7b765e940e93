import { setTimeout as sleep } from 'node:timers/promises';
import { isReachable } from '@tollgate/db/queries/system/health';
import type { Database } from '@tollgate/db/client';

/** Longer work is compared with a short query at intervals. */
const CHECK_AFTER_MS = 2_500;
/** Both times together are below the 5 s after which people give up. */
const CHECK_MS = 1_500;

/** @returns what the work returns; null if the database stopped responding before that. The work continues then. */
export type WhileDatabaseResponds = <T>(work: Promise<T>) => Promise<T | null>;

/** One check serves all requests that wait at the same time. */
export function createDatabaseWatch(db: Database): WhileDatabaseResponds {
  let check: Promise<boolean> | null = null;
  const responds = () => {
    check ??= isReachable(db, CHECK_MS).finally(() => (check = null));
    return check;
  };
  return async function whileDatabaseResponds<T>(work: Promise<T>): Promise<T | null> {
    const waiting = new AbortController();
    const silence = untilSilent(responds, waiting.signal);
    try {
      return await Promise.race([work, silence]);
    } finally {
      waiting.abort();
      // Its caller has been answered.
      work.catch(() => undefined);
    }
  };
}

async function untilSilent(responds: () => Promise<boolean>, signal: AbortSignal): Promise<null> {
  do await sleep(CHECK_AFTER_MS, undefined, { signal }).catch(() => undefined);
  while (!signal.aborted && (await responds()));
  return null;
}
