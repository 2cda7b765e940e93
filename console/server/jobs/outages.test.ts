import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openDatabase, type Database } from '@tollgate/db/client';
import { queueJob } from '@tollgate/db/queries/jobs/queue-job';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { startPostgres } from '@tollgate/testing/postgres-server';
import { pino } from 'pino';
import { afterAll, describe, it, type ExpectStatic } from 'vitest';
import { defineQueuedJob, type JobDeps } from './job-kind.ts';
import { startJobs } from './start-jobs.ts';

const PROGRAM = fileURLToPath(new URL('job-process.fixture.ts', import.meta.url));
const LONG = 60_000;
/** Heartbeats are missed after 10 s here, and looked for every second. */
const MISSED_FOR_CERTAIN_MS = 16_000;
const children: ChildProcess[] = [];
afterAll(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

function startProcess(url: string, mode: 'hang' | 'work'): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [PROGRAM, url, mode]);
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return { child, output: () => output };
}

const queue = (db: Database, id: string) =>
  queueJob(db, { name: 'deliver-mail', key: id, payload: { mailId: id } });

const getStates = async (db: Database) => {
  const rows = await db.sql<{ state: string }[]>`SELECT state FROM tollgate_jobs.job ORDER BY singleton_key`;
  return rows.map(({ state }) => state);
};

/** A process that hangs in a job, and a second one that starts later. */
async function startTwo({ db, url }: TestDatabase, expect: ExpectStatic) {
  const first = startProcess(url, 'hang');
  await expect.poll(first.output, { timeout: LONG }).toContain('ready');
  await queue(db, 'mail_1');
  await expect.poll(first.output, { timeout: LONG }).toContain('mail_1 started');
  return { first, second: startProcess(url, 'work') };
}

describe.concurrent('a job', () => {
  it('is run by another process if kill -9 ends its own one', { timeout: 2 * LONG }, async ({ expect }) => {
    await using database = await createTestDatabase();
    const { db } = database;
    const { first, second } = await startTwo(database, expect);
    await expect.poll(second.output, { timeout: LONG }).toContain('ready');
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    expect(await getStates(db)).toEqual(['active']);
    // Heartbeats end: it is retried after 10 s.
    await expect.poll(second.output, { timeout: LONG, interval: 200 }).toContain('mail_1 started');
    await expect.poll(() => getStates(db), { timeout: LONG }).toEqual(['completed']);
  });

  it('stays with a live process, however long it runs', { timeout: 2 * LONG }, async ({ expect }) => {
    await using database = await createTestDatabase();
    const { db } = database;
    const { second } = await startTwo(database, expect);
    await new Promise((resolve) => setTimeout(resolve, MISSED_FOR_CERTAIN_MS));
    expect(second.output()).not.toContain('mail_1 started');
    expect(await getStates(db)).toEqual(['active']);
  });

  it('runs after PostgreSQL was killed and started again', { timeout: 3 * LONG }, async ({ expect }) => {
    await using server = await startPostgres();
    const db = openDatabase(server.url);
    const lines: string[] = [];
    const log = pino({ level: 'error' }, { write: (line) => lines.push(line) });
    const ran: string[] = [];
    const kind = defineQueuedJob({
      name: 'deliver-mail',
      backoff: { firstSeconds: 1, maxSeconds: 1 },
      timeoutSeconds: 60,
      pollSeconds: 1,
      concurrency: 1,
      canRun: () => true,
      run: async (_deps, { mailId }) => ran.push(mailId),
    });
    // The kind uses none of the other dependencies.
    const jobs = await startJobs({ db, log } as unknown as JobDeps, [kind]);
    await queue(db, 'before');
    await expect.poll(() => ran, { timeout: LONG }).toEqual(['before']);
    await server.kill();
    await expect.poll(() => lines.join(''), { timeout: LONG }).toContain('cannot reach the database');
    await server.start();
    await expect
      .poll(
        () =>
          queue(db, 'after').then(
            () => true,
            () => false,
          ),
        { timeout: LONG },
      )
      .toBe(true);
    await expect.poll(() => ran, { timeout: LONG }).toEqual(['before', 'after']);
    // Workers fail several times per second until the server is back.
    expect(lines.filter((line) => line.includes('job queue'))).toHaveLength(1);
    await jobs.stop();
    expect(await getStates(db)).toEqual(['completed', 'completed']);
    await db.close();
  });
});
