import { deleteAllStale } from '@tollgate/db/queries/retention/delete-stale';
import { deleteOldCodes } from '@tollgate/db/queries/users/codes';
import { deleteOldHealthChecks } from '@tollgate/db/queries/health-checks/health-checks';
import { deleteOldUnknownMembers } from '@tollgate/db/queries/contracts/unknown-members';
import { hasRecentUsage, refreshKeyStandings } from '@tollgate/db/queries/keys/key-rankings';
import { hasSetAside } from '@tollgate/db/queries/providers/set-aside-credentials';
import { deleteOldDevices } from '@tollgate/db/queries/users/known-devices';
import { hasLeftovers, passOnLeftovers } from '@tollgate/db/queries/keys/move-unspent-budget';
import { postUsage } from '@tollgate/db/queries/ledger/post-usage';
import { deleteOldMails } from '@tollgate/db/queries/system/outbox';
import { deleteOldTickets } from '@tollgate/db/queries/users/second-factors';
import { deleteOldThrottles } from '@tollgate/db/queries/users/throttles';
import { hasUnsummed, sumRequests } from '@tollgate/db/queries/usage/providers/sum-requests';
import { rollUsage } from '@tollgate/db/queries/usage/rolls/roll-usage';
import { DEVICE_LIFE_MS } from './auth/device.ts';
import { LONGEST_WINDOW_MS } from './auth/throttle.ts';
import type { Deps } from './deps.ts';
import { defineScheduledJob, type JobKind } from './jobs/job-kind.ts';
import { sendCredentialAlerts } from './operator/alerts/send-credential-alerts.ts';
import { sendDriftAlerts } from './operator/alerts/send-drift-alerts.ts';
import { sendMismatchAlerts } from './operator/alerts/send-mismatch-alerts.ts';
import { checkCredentials } from './operator/check-credentials.ts';
import { lookUpPayments } from './payments/look-up-payments.ts';
import { finishRefunds } from './payments/refund-payment.ts';
import { runAutoTopUps } from './payments/run-auto-top-ups.ts';
import { sendAlerts, sendLateAlerts } from './payments/send-alerts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const KEEP_CODES_MS = 7 * DAY_MS;
const KEEP_UNKNOWN_MEMBERS_MS = 90 * DAY_MS;
const KEEP_HEALTH_CHECKS_MS = 90 * DAY_MS;
const KEEP_MAILS_MS = 30 * DAY_MS;
const RECENT_USAGE_MS = 3 * HOUR_MS;
/** In seconds, as the schedules. */
const MINUTE = 60;
const HOUR = 3600;

/** Runs at intervals; two consoles may run the same job at the same time. */
export const HOUSEKEEPING: readonly JobKind[] = [
  defineScheduledJob({
    name: 'delete-expired',
    everySeconds: HOUR,
    timeoutSeconds: HOUR,
    run: deleteExpired,
  }),
  defineScheduledJob({
    name: 'post-recent-usage',
    everySeconds: MINUTE,
    timeoutSeconds: HOUR,
    run: postRecentUsage,
  }),
  defineScheduledJob({
    name: 'post-late-usage',
    everySeconds: HOUR,
    timeoutSeconds: HOUR,
    run: postLateUsage,
  }),
  // Short interval, because a balance can be used up quickly.
  defineScheduledJob({
    name: 'charge-auto-top-ups',
    everySeconds: 15,
    timeoutSeconds: HOUR,
    canRun: ({ payments }) => payments !== null,
    run: runAutoTopUps,
  }),
  defineScheduledJob({
    name: 'pass-on-unspent-budget',
    everySeconds: 10,
    timeoutSeconds: HOUR,
    hasWork: hasLeftovers,
    run: passOn,
  }),
  defineScheduledJob({ name: 'roll-usage', everySeconds: MINUTE, timeoutSeconds: HOUR, run: roll }),
  // The maximum age of the operator's overview and of the health of providers.
  defineScheduledJob({
    name: 'sum-requests',
    everySeconds: 10,
    timeoutSeconds: HOUR,
    hasWork: hasUnsummed,
    run: async ({ db, clock }) => sumRequests(db, clock.nowMs()),
  }),
  // The maximum age of the order of keys by spend and by last use.
  defineScheduledJob({
    name: 'rank-recent-keys',
    everySeconds: 10,
    timeoutSeconds: HOUR,
    hasWork: hasRecentUsage,
    run: rankRecentKeys,
  }),
  defineScheduledJob({ name: 'rank-all-keys', everySeconds: HOUR, timeoutSeconds: HOUR, run: rankAllKeys }),
  defineScheduledJob({
    name: 'look-up-payments',
    everySeconds: MINUTE,
    timeoutSeconds: HOUR,
    run: lookUpPayments,
  }),
  defineScheduledJob({
    name: 'finish-refunds',
    everySeconds: MINUTE,
    timeoutSeconds: HOUR,
    canRun: ({ payments }) => payments !== null,
    run: finishRefunds,
  }),
  defineScheduledJob({ name: 'send-alerts', everySeconds: MINUTE, timeoutSeconds: HOUR, run: sendAlerts }),
  defineScheduledJob({
    name: 'send-mismatch-alerts',
    everySeconds: MINUTE,
    timeoutSeconds: HOUR,
    run: sendMismatchAlerts,
  }),
  defineScheduledJob({
    name: 'send-credential-alerts',
    everySeconds: MINUTE,
    timeoutSeconds: HOUR,
    hasWork: hasSetAside,
    run: sendCredentialAlerts,
  }),
  defineScheduledJob({
    name: 'check-credentials',
    everySeconds: 5 * MINUTE,
    timeoutSeconds: HOUR,
    hasWork: hasSetAside,
    run: checkCredentials,
  }),
  defineScheduledJob({
    name: 'send-drift-alerts',
    everySeconds: HOUR,
    timeoutSeconds: HOUR,
    run: sendDriftAlerts,
  }),
  defineScheduledJob({
    name: 'send-late-alerts',
    everySeconds: HOUR,
    timeoutSeconds: HOUR,
    run: sendLateAlerts,
  }),
];

async function passOn({ db, clock }: Deps): Promise<void> {
  await passOnLeftovers(db, clock.nowMs());
}

/** Only hours that ended lately, which costs next to nothing. */
async function postRecentUsage({ db, clock }: Deps): Promise<void> {
  // Requests of an hour's last minute are over by then, most of them, and share its entry.
  const before = new Date(clock.nowMs() - MINUTE_MS);
  await postUsage(db, { before, since: new Date(clock.nowMs() - RECENT_USAGE_MS) });
}

/** Settlements long after their hour: long streams, and spooled records of a replica. */
async function postLateUsage({ db, clock }: Deps): Promise<void> {
  await postUsage(db, { before: new Date(clock.nowMs() - MINUTE_MS) });
}

async function roll({ db, clock }: Deps): Promise<void> {
  await rollUsage(db, clock.nowMs());
}

async function rankRecentKeys({ db, clock }: Deps): Promise<void> {
  await refreshKeyStandings(db, 'recent', clock.nowMs());
}

/** What settled long after its hour. */
async function rankAllKeys({ db, clock }: Deps): Promise<void> {
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
  await deleteAllStale(db, new Date(nowMs));
  await deleteOldUnknownMembers(db, new Date(nowMs - KEEP_UNKNOWN_MEMBERS_MS));
  await deleteOldHealthChecks(db, new Date(nowMs - KEEP_HEALTH_CHECKS_MS));
}
