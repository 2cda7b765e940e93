import { createTestDatabase } from '@tollgate/testing/database';
import postgres from 'postgres';
import { expect, it } from 'vitest';
import { readMigrations } from '../../migration-files.ts';
import { migrate } from '../../migrate.ts';

const JOB_QUEUE = 38;
const WAITING = "'\\x00', now() + interval '1 hour'";

it('continues emails and removals that waited in an earlier release', async () => {
  await using admin = await createTestDatabase();
  const name = `earlier_${process.pid}`;
  await admin.db.sql.unsafe(`CREATE DATABASE ${name}`);
  const url = new URL(admin.url);
  url.pathname = `/${name}`;
  const sql = postgres(url.href, { max: 1, onnotice: () => undefined });
  try {
    const earlier = readMigrations().slice(0, JOB_QUEUE - 1);
    await migrate(url.href, { migrations: earlier, functions: null });
    await sql.unsafe(`
      INSERT INTO outbox (id, recipient, subject, body_sealed, next_attempt_at, attempts, sent_at) VALUES
        ('mail_1', 'a@example.com', 'Waits', ${WAITING}, 3, NULL),
        ('mail_2', 'a@example.com', 'Failed', NULL, now(), 7, NULL),
        ('mail_3', 'a@example.com', 'Sent', NULL, now(), 1, now());
      INSERT INTO provider_removals (provider, kind, reference, attempts, next_attempt_at) VALUES
        ('stripe', 'customer', 'cus_1', 5, now() + interval '1 hour'), ('test', 'method', 'pm_1', 0, now())`);
    await migrate(url.href);
    const jobs = await sql`
      SELECT name, singleton_key AS key, data, state, retry_count AS retries, retry_limit AS "limit", heartbeat_seconds AS beat,
        round(extract(epoch FROM start_after - now()) / 3600)::int AS hours, keep_until > now() + interval '9 years' AS kept
      FROM tollgate_jobs.job ORDER BY singleton_key`;
    const common = { state: 'created', limit: 1_000_000, beat: 30, kept: true };
    const customer = { provider: 'stripe', kind: 'customer', reference: 'cus_1' };
    const method = { provider: 'test', kind: 'method', reference: 'pm_1' };
    const removal = { ...common, name: 'remove-payment-data' };
    expect([...jobs]).toEqual([
      { ...common, name: 'deliver-mail', key: 'mail_1', data: { mailId: 'mail_1' }, retries: 3, hours: 1 },
      { ...removal, key: 'stripe:customer:cus_1', data: customer, retries: 5, hours: 1 },
      { ...removal, key: 'test:method:pm_1', data: method, retries: 0, hours: 0 },
    ]);
  } finally {
    await sql.end();
    await admin.db.sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
  }
});

it.each([
  ['owns its database', 'ALTER DATABASE $database OWNER TO $role', null],
  [
    'may create in its database and in schema public',
    'GRANT CREATE ON DATABASE $database TO $role; GRANT CREATE ON SCHEMA public TO $role',
    null,
  ],
  [
    'may create in schema public, if the schema of the queue exists',
    'GRANT CREATE ON SCHEMA public TO $role; CREATE SCHEMA tollgate_jobs AUTHORIZATION $role',
    null,
  ],
  ['may create in schema public only', 'GRANT CREATE ON SCHEMA public TO $role', 'too few rights'],
])('migrates for a user who is no superuser and %s', async (_title, rights, failure) => {
  await using admin = await createTestDatabase();
  const id = `${process.pid}_${Math.random().toString(36).slice(2)}`;
  const [database, role] = [`limited_${id}`, `limited_role_${id}`];
  await admin.db.sql.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'limited' NOSUPERUSER`);
  await admin.db.sql.unsafe(`CREATE DATABASE ${database}`);
  const url = new URL(admin.url);
  url.pathname = `/${database}`;
  const owner = postgres(url.href, { max: 1, onnotice: () => undefined });
  try {
    await owner.unsafe(rights.replaceAll('$database', database).replaceAll('$role', role));
    url.username = role;
    url.password = 'limited';
    if (failure !== null) await expect(migrate(url.href)).rejects.toThrow(failure);
    else expect((await migrate(url.href)).applied).toContain('0039_job_queue.sql');
  } finally {
    await owner.end();
    await admin.db.sql.unsafe(`DROP DATABASE ${database} WITH (FORCE)`);
    await admin.db.sql.unsafe(`DROP OWNED BY ${role}`);
    await admin.db.sql.unsafe(`DROP ROLE ${role}`);
  }
});
