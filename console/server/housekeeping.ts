import { deleteAllStaleBodies } from '@tollgate/db/queries/bodies/delete-bodies';
import { deleteOldCodes } from '@tollgate/db/queries/users/codes';
import { deleteOldUnknownMembers } from '@tollgate/db/queries/contracts/unknown-members';
import { refreshKeyStandings } from '@tollgate/db/queries/keys/key-rankings';
import { deleteOldDevices } from '@tollgate/db/queries/users/known-devices';
import { passOnLeftovers } from '@tollgate/db/queries/keys/move-unspent-budget';
import { postUsage } from '@tollgate/db/queries/ledger/post-usage';
import { deleteOldMails } from '@tollgate/db/queries/system/outbox';
import { deleteOldTickets } from '@tollgate/db/queries/users/second-factors';
import { deleteOldThrottles } from '@tollgate/db/queries/users/throttles';
import { rollUsage } from '@tollgate/db/queries/usage/rolls/roll-usage';
import { DEVICE_LIFE_MS } from './auth/device.ts';
import { LONGEST_WINDOW_MS } from './auth/throttle.ts';
import type { Deps } from './deps.ts';
import { describeError } from './describe-error.ts';
import { sendDriftAlerts } from './operator/alerts/send-drift-alerts.ts';
import { sendMismatchAlerts } from './operator/alerts/send-mismatch-alerts.ts';
import { lookUpPayments } from './payments/look-up-payments.ts';
import { runAutoTopUps } from './payments/run-auto-top-ups.ts';
import { runRemovals } from './payments/run-removals.ts';
import { sendAlerts, sendLateAlerts } from './payments/send-alerts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const KEEP_CODES_MS = 7 * DAY_MS;
const KEEP_UNKNOWN_MEMBERS_MS = 90 * DAY_MS;
const KEEP_MAILS_MS = 30 * DAY_MS;
const RECENT_USAGE_MS = 3 * HOUR_MS;
/** A balance that is used up fast should not have to wait long. */
const AUTO_TOP_UP_MS = 15_000;
const LEFTOVERS_MS = 10_000;
/** How old the order of keys by spend and by last use may be. */
const STANDINGS_MS = 10_000;
const REMOVALS_MS = 15_000;

/** What is done again and again; two consoles may do it at the same time. */
const JOBS: readonly { name: string; everyMs: number; run(deps: Deps): Promise<unknown> }[] = [
  { name: 'deletion of what has had its time', everyMs: HOUR_MS, run: deleteExpired },
  { name: 'posting of usage', everyMs: MINUTE_MS, run: postRecentUsage },
  { name: 'posting of late usage', everyMs: HOUR_MS, run: postLateUsage },
  { name: 'automatic top-ups', everyMs: AUTO_TOP_UP_MS, run: runAutoTopUps },
  { name: 'removals at the payment provider', everyMs: REMOVALS_MS, run: runRemovals },
  { name: 'leftovers of replaced keys', everyMs: LEFTOVERS_MS, run: passOn },
  { name: 'roll-up of usage', everyMs: MINUTE_MS, run: roll },
  { name: 'standings of keys', everyMs: STANDINGS_MS, run: refreshStandings },
  { name: 'standings of all keys', everyMs: HOUR_MS, run: refreshAllStandings },
  { name: 'look-up of payments', everyMs: MINUTE_MS, run: lookUpPayments },
  { name: 'alerts', everyMs: MINUTE_MS, run: sendAlerts },
  { name: 'alerts of price mismatches', everyMs: MINUTE_MS, run: sendMismatchAlerts },
  { name: 'alerts of cost drift', everyMs: HOUR_MS, run: sendDriftAlerts },
  { name: 'late alerts', everyMs: HOUR_MS, run: sendLateAlerts },
];

/** Runs every job immediately and then at its interval; one that takes longer than that is not started twice. */
export function startHousekeeping(deps: Deps): { stop(): Promise<void> } {
  const jobs = JOBS.map((job) => startJob(deps, job));
  return {
    stop: async () => {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

function startJob(deps: Deps, job: (typeof JOBS)[number]): { stop(): Promise<void> } {
  let running: Promise<void> | null = null;
  const start = () => {
    running ??= run().finally(() => (running = null));
  };
  const run = async () => {
    try {
      await job.run(deps);
    } catch (error) {
      deps.log.error({ job: job.name, error: describeError(error) }, 'housekeeping failed');
    }
  };
  start();
  const timer = setInterval(start, job.everyMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

async function passOn({ db, clock }: Deps): Promise<void> {
  await passOnLeftovers(db, clock.nowMs());
}

/** Only hours that ended lately, which costs next to nothing. */
async function postRecentUsage({ db, clock }: Deps): Promise<void> {
  // Requests of an hour's last minute are over by then, most of them, and share its entry.
  const before = new Date(clock.nowMs() - MINUTE_MS);
  await postUsage(db, { before, since: new Date(clock.nowMs() - RECENT_USAGE_MS) });
}

/** What settled long after its hour: streams that took long, what a replica had to keep until the database was back. */
async function postLateUsage({ db, clock }: Deps): Promise<void> {
  await postUsage(db, { before: new Date(clock.nowMs() - MINUTE_MS) });
}

async function roll({ db, clock }: Deps): Promise<void> {
  await rollUsage(db, clock.nowMs());
}

async function refreshStandings({ db, clock }: Deps): Promise<void> {
  await refreshKeyStandings(db, 'recent', clock.nowMs());
}

/** What settled long after its hour. */
async function refreshAllStandings({ db, clock }: Deps): Promise<void> {
  await refreshKeyStandings(db, 'all', clock.nowMs());
}

/** What the hourly sweep does. */
export async function deleteExpired({ db, clock, sessions }: Deps): Promise<void> {
  const nowMs = clock.nowMs();
  await sessions.deleteExpired();
  await deleteOldCodes(db, new Date(nowMs - KEEP_CODES_MS));
  await deleteOldDevices(db, new Date(nowMs - DEVICE_LIFE_MS));
  await deleteOldTickets(db, new Date(nowMs));
  await deleteOldThrottles(db, new Date(nowMs - LONGEST_WINDOW_MS));
  await deleteOldMails(db, new Date(nowMs - KEEP_MAILS_MS));
  await deleteAllStaleBodies(db, new Date(nowMs));
  await deleteOldUnknownMembers(db, new Date(nowMs - KEEP_UNKNOWN_MEMBERS_MS));
}
