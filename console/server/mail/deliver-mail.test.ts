import { randomBytes } from 'node:crypto';
import { createSealer } from '@tollgate/auth/seal';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { retryMail } from '@tollgate/db/queries/operator/mails';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { queueMail } from '@tollgate/mail/queue-mail';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { newEmail, PASSWORD } from '../testing/people.ts';
import { startSmtpServer, type TestSmtpServer } from '../testing/smtp-fixture.ts';
import { startJobs, type Jobs } from '../jobs/start-jobs.ts';
import { deliverMailJob } from './deliver-mail.ts';
import { createSmtpPostman, type Postman } from './smtp.ts';

const FROM = 'Tollgate <no-reply@gateway.example>';

const SOON = { interval: 20, timeout: 5000 };

interface OutboxRow {
  attempts: number;
  isSent: boolean;
  hasBody: boolean;
  lastError: string | null;
  /** Until the next attempt. */
  waitsSeconds: number | null;
}

describe('the delivery of emails', () => {
  let site: TestConsole;
  let smtp: TestSmtpServer;
  const mailers: Jobs[] = [];
  beforeEach(async () => {
    [site, smtp] = await Promise.all([createTestConsole({ hasMailbox: false }), startSmtpServer()]);
  });
  afterEach(async () => {
    await Promise.all(mailers.splice(0).map((mailer) => mailer.stop()));
    await Promise.all([site[Symbol.asyncDispose](), smtp[Symbol.asyncDispose]()]);
  });

  async function start(
    postman: Postman = createSmtpPostman({ smtpUrl: smtp.url, from: FROM }),
    sealer = site.deps.sealer,
  ): Promise<Jobs> {
    const mailer = await startJobs({ ...site.deps, sealer, postman }, [deliverMailJob]);
    mailers.push(mailer);
    site.deps.onMailQueued = () => mailer.wake('deliver-mail');
    return mailer;
  }
  const makeDue = async (mailer: Jobs) => {
    await site.deps.db.sql`UPDATE tollgate_jobs.job SET start_after = now() WHERE state = 'retry'`;
    mailer.wake('deliver-mail');
  };
  const signUp = async () => {
    const email = newEmail();
    await site.visit().client.auth.signUp.mutate({ email, password: PASSWORD });
    return email;
  };
  const row = async (): Promise<OutboxRow | undefined> => {
    const [found] = await site.deps.db.sql<OutboxRow[]>`
      SELECT attempts, sent_at IS NOT NULL AS "isSent", body_sealed IS NOT NULL AS "hasBody",
        last_error AS "lastError", extract(epoch FROM j.start_after - now())::float8 AS "waitsSeconds"
      FROM outbox o LEFT JOIN tollgate_jobs.job j ON j.singleton_key = o.id AND j.state = 'retry'
      ORDER BY o.id DESC LIMIT 1`;
    return found;
  };

  it('sends an email as soon as it is queued, and deletes its content', async () => {
    await start();
    const email = await signUp();
    await expect.poll(() => smtp.received.length, SOON).toBe(1);
    const [mail] = smtp.received;
    expect(mail).toMatchObject({ from: 'no-reply@gateway.example', to: [email] });
    expect(mail?.raw).toContain('From: Tollgate <no-reply@gateway.example>');
    expect(mail?.raw).toContain('Subject: Verify your email for Tollgate');
    expect(mail?.raw).toContain('text/plain');
    expect(mail?.raw).toContain('text/html');
    expect(mail?.raw).toMatch(/^ {4}\d{6}$/m);
    await expect
      .poll(row, SOON)
      .toMatchObject({ isSent: true, hasBody: false, attempts: 1, lastError: null });
  });

  it('does not make the answer wait for the SMTP server', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const postman = { deliver: () => held.then(() => ({ ok: true }) as const) };
    await start(postman);
    await signUp();
    expect((await row())?.isSent).toBe(false);
    release();
    await expect.poll(row, SOON).toMatchObject({ isSent: true });
  });

  it('tries again later when the server has no time now, with the same Message-ID', async () => {
    smtp.refusals.push({ status: 451, message: 'Greylisted, come back later' });
    const mailer = await start();
    await signUp();
    await expect.poll(row, SOON).toMatchObject({
      attempts: 1,
      isSent: false,
      hasBody: true,
      lastError: expect.stringContaining('Greylisted'),
    });
    await expect.poll(async () => (await row())?.waitsSeconds, SOON).toBeGreaterThan(3);
    expect((await row())?.waitsSeconds).toBeLessThanOrEqual(10);
    await makeDue(mailer);
    await expect.poll(row, SOON).toMatchObject({ attempts: 2, isSent: true, lastError: null });
    expect(smtp.received[0]?.raw).toMatch(/Message-ID: <mail_\w+@gateway\.example>/);
  });

  it('gives up immediately when the server refuses the email for good', async () => {
    smtp.refusals.push({ status: 550, message: 'No such mailbox' });
    await start();
    await signUp();
    await expect.poll(row, SOON).toMatchObject({
      attempts: 1,
      isSent: false,
      hasBody: false,
      lastError: expect.stringContaining('No such mailbox'),
    });
  });

  it('keeps quotes of the email in SMTP errors out of the database and the log', async () => {
    const quoted = 'Blocked http://127.0.0.1:3000/verify?token=x and 123456';
    smtp.refusals.push({ status: 554, message: quoted });
    await start();
    await signUp();
    await expect
      .poll(row, SOON)
      .toMatchObject({ lastError: expect.stringContaining('Blocked [link] and [code]') });
    expect(site.logLines.join('')).not.toContain('token=x');
  });

  it('gives up after twelve attempts in some hours', async () => {
    const smtpUrl = `smtp://127.0.0.1:${await findFreePort()}`;
    const mailer = await start(createSmtpPostman({ smtpUrl, from: FROM }));
    await signUp();
    let waitedSeconds = 0;
    for (let attempts = 1; attempts < 12; attempts++) {
      await expect
        .poll(row, SOON)
        .toMatchObject({ attempts, hasBody: true, waitsSeconds: expect.any(Number) });
      waitedSeconds += (await row())?.waitsSeconds ?? 0;
      await makeDue(mailer);
    }
    await expect.poll(row, SOON).toMatchObject({ attempts: 12, hasBody: false, waitsSeconds: null });
    expect((await row())?.lastError).toMatch(/ECONNREFUSED|ESOCKET|ECONNECTION/);
    expect(waitedSeconds).toBeGreaterThan(2.7 * 3600);
  });

  it('sends an email once if several processes look for it', async () => {
    await Promise.all(Array.from({ length: 12 }, signUp));
    for (let i = 0; i < 4; i++) await start();
    await expect.poll(() => smtp.received.length, SOON).toBe(12);
    await Promise.all(mailers.map((mailer) => mailer.stop()));
    expect(smtp.received).toHaveLength(12);
    expect(new Set(smtp.received.flatMap((mail) => mail.to)).size).toBe(12);
  });

  it('sends emails that an earlier process left unsent', async () => {
    await signUp();
    await start();
    await expect.poll(() => smtp.received.length, SOON).toBe(1);
  });

  it('leaves an email to the next process if its process was killed', async () => {
    await signUp();
    await site.deps.db.sql`UPDATE outbox SET attempts = 1`;
    await site.deps.db.sql`
      UPDATE tollgate_jobs.job SET state = 'active', started_on = now() - interval '1 minute',
        heartbeat_seconds = 30, heartbeat_on = now() - interval '31 seconds'`;
    const postman = createSmtpPostman({ smtpUrl: smtp.url, from: FROM });
    mailers.push(await startJobs({ ...site.deps, postman }, [deliverMailJob], { superviseSeconds: 1 }));
    await expect.poll(row, SOON).toMatchObject({ waitsSeconds: expect.any(Number) });
    await makeDue(mailers[0] as Jobs);
    await expect.poll(() => smtp.received.length, SOON).toBe(1);
    await expect.poll(row, SOON).toMatchObject({ attempts: 2, isSent: true });
  });

  it('waits until an operator retries it', async () => {
    smtp.refusals.push({ status: 451, message: 'Greylisted, come back later' });
    await start();
    await signUp();
    await expect.poll(row, SOON).toMatchObject({ attempts: 1, waitsSeconds: expect.any(Number) });
    const { sql } = site.deps.db;
    const [mail] = await sql<{ id: string }[]>`SELECT id FROM outbox`;
    const { id: actorUserId } = (await sql<{ id: string }[]>`SELECT id FROM users`)[0] ?? { id: '' };
    expect(await retryMail(site.deps.db, { id: mail?.id ?? '', actorUserId })).toBe(true);
    site.deps.onMailQueued();
    await expect.poll(row, SOON).toMatchObject({ attempts: 2, isSent: true });
    expect(await retryMail(site.deps.db, { id: mail?.id ?? '', actorUserId })).toBe(false);
  });

  it('stores no code and no link in the queue', async () => {
    await signUp();
    const [mail] = await site.deps.db.sql<{ id: string }[]>`SELECT id FROM outbox`;
    const jobs = await site.deps.db.sql`SELECT data, output FROM tollgate_jobs.job`;
    expect([...jobs]).toEqual([{ data: { mailId: mail?.id }, output: null }]);
  });

  it('sends no email that is older than a day', async () => {
    await signUp();
    await site.deps.db.sql`UPDATE outbox SET created_at = now() - interval '25 hours'`;
    await start();
    await expect.poll(row, SOON).toMatchObject({ isSent: false, hasBody: false });
    expect(smtp.received).toHaveLength(0);
  });

  it('reports an email that was encrypted with another key, and continues', async () => {
    await signUp();
    const sealer = createSealer(randomBytes(32).toString('base64'));
    const mail = { subject: 'Hello', text: 'text', html: '<p>text</p>' };
    await queueMail(site.deps.db, sealer, { recipient: 'b@example.com', mail });
    await start(undefined, sealer);
    await expect.poll(() => smtp.received.length, SOON).toBe(1);
    expect(smtp.received[0]?.to).toEqual(['b@example.com']);
    const failed = await site.deps.db
      .sql`SELECT 1 FROM outbox WHERE last_error LIKE 'Encrypted with another%'`;
    expect(failed).toHaveLength(1);
  });

  it('lets no recipient smuggle in another one or a header', async () => {
    const mail = { subject: 'Hello\r\nBcc: c@example.com', text: 'text', html: '<p>text</p>' };
    await queueMail(site.deps.db, site.deps.sealer, { recipient: 'b@example.com', mail });
    await start();
    await expect.poll(() => smtp.received.length, SOON).toBe(1);
    expect(smtp.received[0]?.to).toEqual(['b@example.com']);
    expect(smtp.received[0]?.raw).not.toMatch(/^Bcc:/m);
  });
});
