import { deleteOldCodes } from '@tollgate/db/queries/codes';
import { deleteOldMails } from '@tollgate/db/queries/outbox';
import { deleteOldThrottles } from '@tollgate/db/queries/throttles';
import { LONGEST_WINDOW_MS } from './auth/throttle.ts';
import type { Deps } from './deps.ts';
import { describeError } from './describe-error.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KEEP_CODES_MS = 7 * DAY_MS;
const KEEP_MAILS_MS = 30 * DAY_MS;

/** Deletes once an hour what has had its time: sessions, codes, counters, mails. */
export function startHousekeeping(deps: Deps): { stop(): Promise<void> } {
  let running = Promise.resolve();
  const sweep = () => {
    running = deleteExpired(deps).catch((error: unknown) => {
      deps.log.error({ error: describeError(error) }, 'housekeeping failed');
    });
  };
  sweep();
  const timer = setInterval(sweep, HOUR_MS).unref();
  return {
    stop: () => {
      clearInterval(timer);
      return running;
    },
  };
}

/** What the hourly sweep does. */
export async function deleteExpired({ db, clock, sessions }: Deps): Promise<void> {
  const nowMs = clock.nowMs();
  await sessions.deleteExpired();
  await deleteOldCodes(db, new Date(nowMs - KEEP_CODES_MS));
  await deleteOldThrottles(db, new Date(nowMs - LONGEST_WINDOW_MS));
  await deleteOldMails(db, new Date(nowMs - KEEP_MAILS_MS));
}
