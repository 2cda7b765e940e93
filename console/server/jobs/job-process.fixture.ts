import { openDatabase } from '@tollgate/db/client';
import { pino } from 'pino';
import type { JobDeps } from './job-kind.ts';
import { defineQueuedJob } from './job-kind.ts';
import { startJobs } from './start-jobs.ts';

/** The shortest that pg-boss allows, so that tests wait less. */
const HEARTBEAT_SECONDS = 10;

/** A process that runs jobs, and says so on its standard output. Arguments: a database, and `hang` if no job may end. */
const db = openDatabase(process.argv[2] ?? '');
const log = pino({ level: 'error' }, pino.destination(2));
const isHanging = process.argv[3] === 'hang';

const kind = defineQueuedJob({
  name: 'deliver-mail',
  backoff: { firstSeconds: 1, maxSeconds: 1 },
  timeoutSeconds: 600,
  pollSeconds: 1,
  concurrency: 1,
  canRun: () => true,
  run: async (_deps, { mailId }) => {
    process.stdout.write(`${mailId} started\n`);
    if (isHanging) await new Promise((resolve) => setTimeout(resolve, 600_000));
  },
});

// The kind uses none of the other dependencies.
const queue = { ...kind.queue, heartbeatSeconds: HEARTBEAT_SECONDS };
await startJobs({ db, log } as JobDeps, [{ ...kind, queue }], { superviseSeconds: 1 });
process.stdout.write('ready\n');
