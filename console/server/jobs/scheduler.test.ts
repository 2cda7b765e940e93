import { setTimeout as sleep } from 'node:timers/promises';
import { queueDueRuns } from '@tollgate/db/queries/jobs/queue-due-runs';
import { hasRecentUsage } from '@tollgate/db/queries/keys/key-rankings';
import { PgBoss } from 'pg-boss';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { defineScheduledJob, type JobKind } from './job-kind.ts';
import { createQueueDatabase } from './queue-database.ts';
import { startScheduler } from './scheduler.ts';
import { startJobs, type Jobs } from './start-jobs.ts';

const SOON = { interval: 20, timeout: 10_000 };

let site: TestConsole;
const started: Jobs[] = [];
beforeEach(async () => {
  site = await createTestConsole();
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((jobs) => jobs.stop()));
  await site[Symbol.asyncDispose]();
});

async function start(kind: JobKind): Promise<Jobs> {
  const jobs = await startJobs({ ...site.deps, postman: null }, [kind]);
  started.push(jobs);
  return jobs;
}

const readJobs = () => site.deps.db.sql<{ state: string; output: unknown }[]>`
  SELECT state, output FROM tollgate_jobs.job WHERE name = 'tidy' ORDER BY created_on, id`;

describe('a scheduled job', () => {
  const tidy = (run: () => Promise<unknown>, everySeconds = 3600) =>
    defineScheduledJob({ name: 'tidy', everySeconds, timeoutSeconds: 60, run });

  it('runs at the start, once for all processes', async () => {
    let runs = 0;
    const kind = tidy(async () => (runs += 1));
    await Promise.all([start(kind), start(kind)]);
    await expect.poll(() => runs, SOON).toBe(1);
    await start(kind);
    await Promise.all(started.map((jobs) => jobs.stop()));
    expect(runs).toBe(1);
  });

  it('runs again in the next interval after a failure, which is logged', async () => {
    let runs = 0;
    const kind = tidy(async () => {
      runs += 1;
      if (runs === 1) throw new Error('out of order');
    }, 1);
    await start(kind);
    await expect.poll(() => runs, SOON).toBeGreaterThan(2);
    expect((await readJobs())[0]).toMatchObject({ state: 'failed', output: { error: 'out of order' } });
    expect(site.logLines.filter((line) => line.includes('job failed'))).toHaveLength(1);
  });

  it('is queued as by pg-boss itself', async () => {
    const { db } = site.deps;
    await (await start(tidy(async () => undefined))).stop();
    await db.sql`DELETE FROM tollgate_jobs.job`;
    await queueDueRuns(db, [{ name: 'tidy', everySeconds: 3600 }]);
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
    expect(await boss.send('tidy', {}, { singletonSeconds: 3600 })).toBeNull();
    const read = () => db.sql<Record<string, unknown>[]>`
      SELECT to_jsonb(j) - ARRAY['id', 'created_on', 'start_after', 'keep_until', 'upsert_by_key']
        || jsonb_build_object('kept', extract(epoch FROM keep_until - start_after)::int) AS job FROM tollgate_jobs.job j`;
    const ours = await read();
    await db.sql`DELETE FROM tollgate_jobs.job`;
    await boss.send('tidy', {}, { singletonSeconds: 3600 });
    await boss.stop();
    expect(ours).toEqual(await read());
  });

  it('is not queued while there is nothing to do', async () => {
    const { db, clock } = site.deps;
    const kind = tidy(async () => undefined);
    await (await start({ ...kind, hasWork: hasRecentUsage })).stop();
    expect(await readJobs()).toEqual([]);
    const run = { name: 'tidy', everySeconds: 3600, hasWork: hasRecentUsage(clock.nowMs()) };
    expect(await queueDueRuns(db, [run])).toEqual([]);
    await db.sql`INSERT INTO usage_hourly (hour, account_id, key_id, model) VALUES (now(), 'acc_1', 'key_1', 'any')`;
    expect(await queueDueRuns(db, [run])).toEqual(['tidy']);
  });

  it('is taken by another process after its process ended without taking it', async () => {
    let runs = 0;
    const kind = tidy(async () => (runs += 1));
    await (await start({ ...kind, hasWork: hasRecentUsage })).stop();
    await queueDueRuns(site.deps.db, [{ name: 'tidy', everySeconds: 3600 }]);
    await start(kind);
    await expect.poll(() => runs, SOON).toBe(1);
  });

  it('is not queued any more once the scheduler has stopped', async () => {
    const { db } = site.deps;
    await (await start(tidy(async () => undefined))).stop();
    await db.sql`DELETE FROM tollgate_jobs.job`;
    const lock = await db.sql.reserve();
    await lock.unsafe('BEGIN; LOCK TABLE tollgate_jobs.queue');
    const stopScheduler = startScheduler({ ...site.deps, postman: null }, [tidy(async () => undefined)], {
      wake: () => undefined,
      onError: () => undefined,
    });
    let isStopped = false;
    const stopping = Promise.resolve(stopScheduler()).then(() => (isStopped = true));
    await sleep(100);
    expect(isStopped).toBe(false);
    await lock.unsafe('COMMIT');
    lock.release();
    await stopping;
    expect(await readJobs()).toMatchObject([{ state: 'created' }]);
  });

  it('is queued at the next tick after an error of the database, whatever its interval', async () => {
    const { db } = site.deps;
    const kinds = [tidy(async () => undefined), { ...tidy(async () => undefined, 1), name: 'often' }];
    await (await startJobs({ ...site.deps, postman: null }, kinds)).stop();
    await db.sql`DELETE FROM tollgate_jobs.job`;
    await db.sql`ALTER TABLE tollgate_jobs.queue RENAME TO hidden`;
    const errors: unknown[] = [];
    const stopScheduler = startScheduler({ ...site.deps, postman: null }, kinds, {
      wake: () => undefined,
      onError: (error) => void errors.push(error),
    });
    await expect.poll(() => errors.length, SOON).toBe(1);
    expect(await readJobs()).toEqual([]);
    await db.sql`ALTER TABLE tollgate_jobs.hidden RENAME TO queue`;
    await expect.poll(readJobs, SOON).toMatchObject([{ state: 'created' }]);
    await stopScheduler();
  });

  it('gets a changed definition', async () => {
    const settings = () => site.deps.db.sql`
      SELECT deletion_seconds AS seconds FROM tollgate_jobs.queue WHERE name = 'tidy'`;
    await start(tidy(async () => undefined, 3600));
    expect(await settings()).toMatchObject([{ seconds: 7200 }]);
    await start(tidy(async () => undefined, 7200));
    expect(await settings()).toMatchObject([{ seconds: 14_400 }]);
  });
});
