import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@tollgate/db/client';
import { queueJob, queueJobNow } from '@tollgate/db/queries/jobs/queue-job';
import { compareCatalogs, readCatalog } from '@tollgate/db/schema-history/schema-catalog';
import { inTransaction } from '@tollgate/db/transaction';
import { getConstructionPlans, PgBoss } from 'pg-boss';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { defineQueuedJob, defineScheduledJob, type JobKind } from './job-kind.ts';
import { JOB_KINDS } from './kinds.ts';
import { createQueueDatabase } from './queue-database.ts';
import { startJobs, type Jobs } from './start-jobs.ts';

const SOON = { interval: 20, timeout: 10_000 };

interface JobRow {
  key: string | null;
  state: string;
  retries: number;
  /** From its last change. */
  waitsSeconds: number;
  output: unknown;
}

let site: TestConsole;
const started: Jobs[] = [];
beforeEach(async () => {
  site = await createTestConsole();
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((jobs) => jobs.stop()));
  await site[Symbol.asyncDispose]();
});

async function start(...kinds: JobKind[]): Promise<Jobs> {
  const jobs = await startJobs({ ...site.deps, postman: null }, kinds);
  started.push(jobs);
  return jobs;
}

/** A kind that delivers no email, but runs `work` with its id. */
const mailKind = (work: (mailId: string) => unknown, pollSeconds = 1) =>
  defineQueuedJob({
    name: 'deliver-mail',
    backoff: { firstSeconds: 100, maxSeconds: 300 },
    timeoutSeconds: 60,
    pollSeconds,
    concurrency: 2,
    canRun: () => true,
    run: async (_deps, { mailId }) => work(mailId),
  });

const queue = (id: string, db: Parameters<typeof queueJob>[0] = site.deps.db) =>
  queueJob(db, { name: 'deliver-mail', key: id, payload: { mailId: id } });

const readJobs = () => site.deps.db.sql<JobRow[]>`
  SELECT singleton_key AS key, state, retry_count AS retries, output,
    extract(epoch FROM start_after - now())::float8 AS "waitsSeconds"
  FROM tollgate_jobs.job WHERE name = 'deliver-mail' ORDER BY created_on, id`;

describe('a queued job', () => {
  it('exists if its transaction committed, and not if it was rolled back', async () => {
    const { db } = site.deps;
    const ran: string[] = [];
    await start(mailKind((id) => ran.push(id)));
    await inTransaction(db, (tx) => queue('kept', tx));
    const aborted = inTransaction(db, async (tx) => {
      await queue('rolled back', tx);
      throw new Error('abort');
    });
    await expect(aborted).rejects.toThrow('abort');
    await expect.poll(() => ran, SOON).toEqual(['kept']);
    expect((await readJobs()).map(({ key }) => key)).toEqual(['kept']);
  });

  it('runs immediately if another process queues it or makes it due, however seldom queues are polled', async () => {
    const ran: string[] = [];
    await start(
      mailKind((id) => {
        ran.push(id);
        if (ran.length === 1) throw new Error('not yet');
      }, 3600),
    );
    const other = openDatabase(site.deps.db.url);
    await queue('a', other);
    await expect.poll(readJobs, SOON).toMatchObject([{ state: 'retry' }]);
    await queueJobNow(other, { name: 'deliver-mail', key: 'a', payload: { mailId: 'a' } });
    await expect.poll(() => ran, SOON).toEqual(['a', 'a']);
    await other.close();
  });

  it('is queued once while a job with its key is unfinished', async () => {
    await queue('a');
    await queue('a');
    expect(await readJobs()).toHaveLength(1);
  });

  it('gets the same settings as from pg-boss itself', async () => {
    const { db } = site.deps;
    await (await start(mailKind(() => undefined))).stop();
    await queue('ours');
    const boss = new PgBoss({
      db: createQueueDatabase(db),
      schema: 'tollgate_jobs',
      migrate: false,
      createSchema: false,
      supervise: false,
      schedule: false,
      registerInstance: false,
    });
    await boss.start();
    await boss.send('deliver-mail', { mailId: 'theirs' }, { singletonKey: 'theirs' });
    await boss.stop();
    const [ours, theirs] = await db.sql<Record<string, unknown>[]>`
      SELECT to_jsonb(j) - ARRAY['id', 'created_on', 'start_after', 'keep_until', 'singleton_key', 'data', 'upsert_by_key']
        || jsonb_build_object('kept', extract(epoch FROM keep_until - start_after)::int) AS job
      FROM tollgate_jobs.job j ORDER BY created_on`;
    expect(ours?.['job']).toMatchObject({ retry_limit: 1_000_000, retry_delay: 100, heartbeat_seconds: 30 });
    expect(ours).toEqual(theirs);
  });

  it('is not run by a process whose start failed', async () => {
    const ran: string[] = [];
    const good = mailKind((id) => ran.push(id));
    const bad = { ...good, name: 'tidy', pollSeconds: 0 };
    await expect(startJobs({ ...site.deps, postman: null }, [good, bad])).rejects.toThrow('pollingInterval');
    await queue('mail_1');
    // Longer than a worker waits between two looks at its queue.
    await sleep(1_500);
    expect(ran).toEqual([]);
  });

  it('is retried with growing delays until it succeeds', async () => {
    let attempts = 0;
    const jobs = await start(
      mailKind(() => {
        attempts += 1;
        if (attempts < 4) throw new Error('not yet');
      }),
    );
    await queue('a');
    // 100 s, 200 s, then the maximum of 300 s. pg-boss adds up to as much again, below the maximum.
    for (const [retries, least, most] of [
      [0, 100, 200],
      [1, 200, 300],
      [2, 300, 300],
    ] as const) {
      await expect.poll(readJobs, SOON).toMatchObject([{ state: 'retry' }]);
      expect(attempts).toBe(retries + 1);
      const [job] = await readJobs();
      expect(job?.waitsSeconds).toBeGreaterThan(least - 5);
      expect(job?.waitsSeconds).toBeLessThanOrEqual(most);
      await site.deps.db.sql`UPDATE tollgate_jobs.job SET start_after = now()`;
      jobs.wake('deliver-mail');
      await expect.poll(() => attempts, SOON).toBe(retries + 2);
    }
    await expect.poll(readJobs, SOON).toMatchObject([{ state: 'completed' }]);
  });

  it('stores no values of a failed query', async () => {
    const { db } = site.deps;
    await start(mailKind(() => db.drizzle.execute('SELECT 1/0')));
    await queue('a');
    await expect.poll(readJobs, SOON).toMatchObject([{ state: 'retry' }]);
    expect((await readJobs())[0]?.output).toEqual({ error: 'Failed query: SELECT 1/0' });
  });

  it('runs once if several processes look for jobs', async () => {
    const ran: string[] = [];
    const kind = mailKind((id) => ran.push(id));
    await Promise.all(Array.from({ length: 60 }, (_, i) => queue(`mail ${i}`)));
    const replicas = [await start(kind), await start(kind), await start(kind)];
    const timer = setInterval(() => replicas.forEach((jobs) => jobs.wake('deliver-mail')), 10);
    await expect.poll(() => new Set(ran).size, SOON).toBe(60);
    clearInterval(timer);
    await Promise.all(replicas.map((jobs) => jobs.stop()));
    expect(ran).toHaveLength(60);
  });

  it('keeps the process from stopping until it ends', async () => {
    const gate = Promise.withResolvers<void>();
    let isRunning = false;
    const jobs = await start(
      mailKind(async () => {
        isRunning = true;
        await gate.promise;
      }),
    );
    await queue('a');
    await expect.poll(() => isRunning, SOON).toBe(true);
    let isStopped = false;
    const stopping = jobs.stop().then(() => (isStopped = true));
    await queue('b');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(isStopped).toBe(false);
    gate.resolve();
    await stopping;
    expect(await readJobs()).toMatchObject([
      { key: 'a', state: 'completed' },
      { key: 'b', state: 'created' },
    ]);
  });
});

it('ends in the time limit although a statement never does', async () => {
  const { db } = site.deps;
  const kind = defineScheduledJob({
    name: 'tidy',
    everySeconds: 1,
    timeoutSeconds: 60,
    run: async () => undefined,
  });
  const jobs = await startJobs({ ...site.deps, postman: null }, [kind], { stopLimitMs: 2_000 });
  const lock = await db.sql.reserve();
  await lock.unsafe('BEGIN; LOCK TABLE tollgate_jobs.job');
  // Until the statement of the next tick waits.
  const countWaiting = async () =>
    (
      await lock<{ count: number }[]>`
      SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    )[0]?.count;
  await expect.poll(countWaiting, SOON).toBeGreaterThan(0);
  const startedMs = performance.now();
  await jobs.stop();
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  await lock.unsafe('COMMIT');
  lock.release();
});

it('has the settings of queued jobs before a console starts', async () => {
  const queued = JOB_KINDS.filter(({ everySeconds }) => everySeconds === null);
  const stored = await site.deps.db.sql<{ name: string; changed: Date }[]>`
    SELECT name, updated_on AS changed FROM tollgate_jobs.queue`;
  expect(stored.map(({ name }) => name).toSorted()).toEqual(queued.map(({ name }) => name).toSorted());
  // A start would apply other settings.
  await start(...queued);
  expect(
    await site.deps.db.sql`SELECT name, updated_on AS changed FROM tollgate_jobs.queue`,
    'Changed the retries or time limits of a job that other changes queue? Add a migration that updates its queue.',
  ).toEqual(stored);
});

it('has the tables of the installed pg-boss', async () => {
  const { sql } = site.deps.db;
  await createQueueDatabase(site.deps.db).executeSql(getConstructionPlans('expected_jobs'));
  const [expected, actual] = await Promise.all(
    ['expected_jobs', 'tollgate_jobs'].map((schema) => readCatalog(sql, schema)),
  );
  expect(compareCatalogs(expected ?? new Map(), actual ?? new Map())).toEqual([]);
  const version = (schema: string) => sql`SELECT version FROM ${sql(schema)}.version`;
  expect(await version('tollgate_jobs')).toEqual(await version('expected_jobs'));
});
