import { openDatabase } from '@tollgate/db/client';
import { pino } from 'pino';
import type { JobDeps } from './job-kind.ts';
import { defineQueuedJob } from './job-kind.ts';
import { startJobs } from './start-jobs.ts';

/** A process that runs jobs, and says so on its standard output: `HANG=1` never ends one. */
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
await startJobs({ db, log } as JobDeps, [kind], { superviseSeconds: 1 });
process.stdout.write('ready\n');
