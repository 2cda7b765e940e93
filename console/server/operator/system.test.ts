import { randomUUID } from 'node:crypto';
import { queueJob } from '@tollgate/db/queries/jobs/queue-job';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import type { OfferedModel } from '@tollgate/db/queries/providers/provider-models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removePaymentDataJob } from '../payments/remove-payment-data.ts';
import { startJobs } from '../jobs/start-jobs.ts';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { verifyLedgerJob } from './ledger-check.ts';
import { newEmail, PASSWORD, signUpOperator, signUpVerified, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

const DAY_MS = 86_400_000;
const PRICES = {
  inputNanoUsdPerMtok: 1_000_000_000n,
  outputNanoUsdPerMtok: 1_000_000_000n,
  cacheReadNanoUsdPerMtok: null,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
};

describe('the operator of an installation', () => {
  let site: TestConsole;
  let operator: SignedIn;
  beforeAll(async () => {
    site = await createTestConsole();
    operator = await signUpOperator(site);
  });
  afterAll(() => site[Symbol.asyncDispose]());
  const client = () => operator.visitor.client.operator;

  it('is restricted to operators: system, emails and settings', async () => {
    const stranger = (await signUpVerified(site)).visitor.client.operator;
    const refusals = await Promise.all([
      getRefusal(stranger.system.get.query()),
      getRefusal(stranger.replicas.list.query()),
      getRefusal(stranger.system.verifyLedger.mutate()),
      getRefusal(stranger.system.retryJob.mutate({ jobId: randomUUID() })),
      getRefusal(stranger.system.signUpPolicy.query()),
      getRefusal(stranger.system.setSignUpPolicy.mutate({ policy: { signUp: 'closed', domains: [] } })),
      getRefusal(stranger.mails.list.query({})),
      getRefusal(stranger.mails.retry.mutate({ mailId: 'mail_1' })),
    ]);
    expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['FORBIDDEN']));
  });

  it('sees queues, and the size of the database', async () => {
    const system = await client().system.get.query();
    expect(system.database.sizeBytes).toBeGreaterThan(1_000_000);
    expect(system.database.migration).toMatch(/^\d{4}_\w+\.sql$/);
    expect(system.queues.mailsWaiting).toBeGreaterThan(0);
    const sizes = system.relations.map(({ sizeBytes }) => sizeBytes);
    expect(sizes[0]).toBeGreaterThan(0);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(system.relations.map(({ name }) => name)).toContain('api_keys');
  });

  it('sees about how many rows a table has that was never analyzed', async () => {
    await site.deps.db.sql`CREATE TABLE unanalyzed AS SELECT generate_series(1, 200000) AS id`;
    const countRows = async () => {
      const { relations } = await client().system.get.query();
      return relations.find(({ name }) => name === 'unanalyzed')?.rowsAbout;
    };
    // A connection reports its statistics when it was idle for some seconds, at the latest.
    await expect.poll(countRows, { timeout: 20_000, interval: 500 }).toBe(200_000);
    await site.deps.db.sql`DROP TABLE unanalyzed`;
  }, 30_000);

  it('verifies the ledger in the background, one verification at a time, and shows the result', async () => {
    expect((await client().system.get.query()).ledgerCheck).toBeNull();
    await client().system.verifyLedger.mutate();
    expect((await client().system.get.query()).ledgerCheck?.state).toBe('running');
    expect((await getRefusal(client().system.verifyLedger.mutate())).code).toBe('BAD_REQUEST');
    const jobs = await startJobs({ ...site.deps, postman: null }, [verifyLedgerJob]);
    const check = await untilDone();
    expect(check).toMatchObject({ state: 'done', startedBy: operator.email, report: { violations: [] } });
    await site.deps.db.sql`UPDATE balances SET available_nano_usd = available_nano_usd + 1`;
    await client().system.verifyLedger.mutate();
    const broken = await untilDone();
    expect(broken?.report?.violations[0]).toMatchObject({
      rule: expect.stringContaining('a balance is the sum of its ledger entries'),
    });
    await site.deps.db.sql`UPDATE balances SET available_nano_usd = available_nano_usd - 1`;
    await site.deps.db.sql`ALTER TABLE usage_hourly RENAME TO usage_away`;
    await client().system.verifyLedger.mutate();
    await expect
      .poll(async () => (await client().system.get.query()).ledgerCheck?.state, { timeout: 10_000 })
      .toBe('failed');
    await site.deps.db.sql`ALTER TABLE usage_away RENAME TO usage_hourly`;
    await jobs.stop();
  });

  it('counts emails that wait without a mail server, but does not list them as unfinished', async () => {
    const { db } = site.deps;
    await db.sql`DELETE FROM tollgate_jobs.job`;
    await queueJob(db, { name: 'deliver-mail', key: 'mail_kept', payload: { mailId: 'mail_kept' } });
    const { jobs } = await client().system.get.query();
    expect(jobs).toMatchObject({ keepsEmails: true, unfinished: [] });
    expect(jobs.kinds[0]).toMatchObject({ kind: 'deliver-mail', waiting: 1 });
  });

  async function untilDone() {
    for (let tries = 0; tries < 200; tries++) {
      const { ledgerCheck } = await client().system.get.query();
      if (ledgerCheck?.state === 'done') return ledgerCheck;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('The check did not end');
  }

  it('sees waiting, retried and failed jobs, and has them run now', async () => {
    const { db } = site.deps;
    const runs: string[] = [];
    const kind = {
      ...removePaymentDataJob,
      canRun: () => true,
      run: async (_deps: unknown, data: unknown) => {
        runs.push(JSON.stringify(data));
        if (runs.length === 1) throw new Error('out of order');
      },
    };
    const queue = (reference: string) =>
      queueJob(db, {
        name: 'remove-payment-data',
        key: reference,
        payload: { provider: 'test', kind: 'method', reference },
      });
    await db.sql`DELETE FROM tollgate_jobs.job`;
    await queue('pm_1');
    const read = async () => (await client().system.get.query()).jobs;
    expect(await read()).toMatchObject({
      kinds: [
        {},
        {
          kind: 'remove-payment-data',
          waiting: 1,
          running: 0,
          retrying: 0,
          failed: 0,
          lastCompletedAt: null,
        },
        {},
      ],
      unfinished: [{ kind: 'remove-payment-data', state: 'waiting', attempts: 0, lastError: null }],
    });
    const jobs = await startJobs({ ...site.deps, postman: null }, [kind]);
    await expect
      .poll(async () => (await read()).unfinished, { timeout: 10_000 })
      .toMatchObject([
        { state: 'retrying', attempts: 1, lastError: 'out of order', dueAt: expect.any(String) },
      ]);
    await db.sql`UPDATE tollgate_jobs.job SET state = 'failed', completed_on = now()`;
    const [failed] = (await read()).unfinished;
    expect(failed).toMatchObject({ state: 'failed', attempts: 1, dueAt: null });
    const retry = () => client().system.retryJob.mutate({ jobId: failed?.id ?? '' });
    await queue('pm_1');
    await expect.poll(() => runs.length, { timeout: 10_000 }).toBe(2);
    await expect
      .poll(async () => (await read()).kinds[1]?.lastCompletedAt, { timeout: 10_000 })
      .not.toBeNull();
    await retry();
    await expect.poll(() => runs.length, { timeout: 10_000 }).toBe(3);
    await expect.poll(async () => (await read()).unfinished, { timeout: 10_000 }).toEqual([]);
    expect((await getRefusal(retry())).code).toBe('BAD_REQUEST');
    await jobs.stop();
  });

  it('sees emails without what they say, and has one that waits tried again', async () => {
    const { email } = await signUpVerified(site);
    const { sql } = site.deps.db;
    const { code } = await site.newestMailTo(email);
    const list = await client().mails.list.query({ state: 'waiting', limit: 100 });
    const mail = list.mails.find(({ recipient }) => recipient === email);
    expect(mail).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(JSON.stringify(list)).not.toContain(code);
    await sql`UPDATE outbox SET last_error = 'refused' WHERE id = ${mail?.id ?? ''}`;
    await sql`
      UPDATE tollgate_jobs.job SET start_after = now() + interval '1 day', state = 'retry' WHERE singleton_key = ${mail?.id ?? ''}`;
    await client().mails.retry.mutate({ mailId: mail?.id ?? '' });
    const [row] =
      await sql`SELECT start_after <= now() AS due FROM tollgate_jobs.job WHERE singleton_key = ${mail?.id ?? ''}`;
    expect(row?.['due']).toBe(true);
    await sql`UPDATE outbox SET body_sealed = NULL WHERE id = ${mail?.id ?? ''}`;
    expect((await getRefusal(client().mails.retry.mutate({ mailId: mail?.id ?? '' }))).code).toBe(
      'BAD_REQUEST',
    );
    const givenUp = await client().mails.list.query({ state: 'given_up' });
    expect(givenUp.mails.map(({ id }) => id)).toEqual([mail?.id]);
  });

  it('reports how far the installation is set up', async () => {
    const { db } = site.deps;
    const steps = async () => client().system.setupSteps.query();
    const addTo = (name: string, dialect: 'demo' | 'openai-chat', models: readonly OfferedModel[]) =>
      ensureBuiltIn(db, {
        name,
        dialect,
        baseUrl: dialect === 'demo' ? null : 'http://127.0.0.1:1/v1',
        credentialEnv: null,
        preset: null,
        models,
      });
    const model = { id: 'setup-model', upstreamModel: null, facts: {}, prices: PRICES };
    await addTo('other-demo', 'demo', [model]);
    expect(await steps()).toEqual({ hasProvider: false, hasModel: false });
    await addTo('empty-provider', 'openai-chat', []);
    expect(await steps()).toEqual({ hasProvider: true, hasModel: false });
    await addTo('full-provider', 'openai-chat', [model]);
    expect(await steps()).toEqual({ hasProvider: true, hasModel: true });
  });

  it('closes the door to new people, opens it to some domains, and to all again', async () => {
    const set = (signUp: 'open' | 'domains' | 'closed', domains: string[] = []) =>
      client().system.setSignUpPolicy.mutate({ policy: { signUp, domains } });
    const signUp = (email: string) => site.visit().client.auth.signUp.mutate({ email, password: PASSWORD });
    await set('closed');
    expect(await getRefusal(signUp(newEmail()))).toMatchObject({
      code: 'FORBIDDEN',
      reason: 'sign_up_closed',
      field: 'email',
    });
    expect(await set('domains', ['Example.ORG', 'example.org'])).toEqual({
      signUp: 'domains',
      domains: ['example.org'],
    });
    expect((await getRefusal(signUp('one@sub.example.org'))).message).toContain('example.org');
    await signUp('one@example.org');
    expect((await getRefusal(set('domains', []))).zodIssues?.[0]?.path).toBe('policy.domains');
    expect((await getRefusal(set('domains', ['not a domain']))).code).toBe('BAD_REQUEST');
    await set('open');
    site.advance(DAY_MS);
    await signUp(newEmail());
  });
});
