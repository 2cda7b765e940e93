import { createTestDatabase } from '@tollgate/testing/database';
import { expect, it } from 'vitest';
import { queueJob } from '../jobs/queue-job.ts';
import { listJobs, retryJob } from './jobs.ts';

it('a failed job is not retried while another job does the same', async () => {
  await using database = await createTestDatabase();
  const { db } = database;
  await db.sql`INSERT INTO users (id, email, password_hash) VALUES ('user_1', 'a@example.com', 'x')`;
  const job = { name: 'deliver-mail', key: 'mail_1', payload: { mailId: 'mail_1' } } as const;
  await queueJob(db, job);
  await db.sql`UPDATE tollgate_jobs.job SET state = 'failed', completed_on = now()`;
  const [failed] = await listJobs(db, null);
  const retry = () => retryJob(db, { id: failed?.id ?? '', actorUserId: 'user_1' });
  const readStates = async () => (await listJobs(db, null)).map(({ state }) => state);
  for (const state of ['created', 'retry', 'active']) {
    await queueJob(db, job);
    await db.sql`UPDATE tollgate_jobs.job SET state = ${state}::text::tollgate_jobs.job_state WHERE state <> 'failed'`;
    const before = await readStates();
    expect(before).toHaveLength(2);
    expect(await retry()).toBe(false);
    expect(await readStates()).toEqual(before);
  }
  await db.sql`UPDATE tollgate_jobs.job SET state = 'completed', completed_on = now() WHERE state = 'active'`;
  expect(await retry()).toBe(true);
  expect(await listJobs(db, null)).toMatchObject([{ id: failed?.id, state: 'retrying' }]);
});
