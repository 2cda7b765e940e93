import { randomBytes } from 'node:crypto';
import { createSealer } from '@tollgate/auth/seal';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { queueMail } from '@tollgate/mail/queue-mail';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { newEmail, PASSWORD } from '../testing/people.ts';
import { startSmtpServer, type TestSmtpServer } from '../testing/smtp-fixture.ts';
import { startMailer, type Mailer } from './mailer.ts';
import { createSmtpPostman, type Postman } from './smtp.ts';

const FROM = 'Tollgate <no-reply@gateway.example>';

const SOON = { interval: 20, timeout: 5000 };

interface OutboxRow {
  attempts: number;
  isSent: boolean;
  hasBody: boolean;
  lastError: string | null;
  dueInMs: number;
}

describe('the mailer', () => {
  let site: TestConsole;
  let smtp: TestSmtpServer;
  const mailers: Mailer[] = [];
  beforeEach(async () => {
    [site, smtp] = await Promise.all([createTestConsole({ hasMailbox: false }), startSmtpServer()]);
  });
  afterEach(async () => {
    await Promise.all(mailers.splice(0).map((mailer) => mailer.stop()));
    await Promise.all([site[Symbol.asyncDispose](), smtp[Symbol.asyncDispose]()]);
  });

  function start(
    postman: Postman = createSmtpPostman({ smtpUrl: smtp.url, from: FROM }),
    sealer = site.deps.sealer,
  ): Mailer {
    const mailer = startMailer({ ...site.deps, sealer, postman });
    mailers.push(mailer);
    site.deps.onMailQueued = () => mailer.kick();
    return mailer;
  }
  const signUp = async () => {
    const email = newEmail();
    await site.visit().client.auth.signUp.mutate({ email, password: PASSWORD });
    return email;
  };
  const row = async (): Promise<OutboxRow | undefined> => {
    const [found] = await site.deps.db.sql<OutboxRow[]>`
      SELECT attempts, sent_at IS NOT NULL AS "isSent", body_sealed IS NOT NULL AS "hasBody",
        last_error AS "lastError", extract(epoch FROM next_attempt_at - now())::float8 * 1000 AS "dueInMs"
      FROM outbox ORDER BY id DESC LIMIT 1`;
    return found;
  };

  it('sends an email as soon as it is queued, and forgets what it said', async () => {
    start();
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
    start(postman);
    await signUp();
    expect((await row())?.isSent).toBe(false);
    release();
    await expect.poll(row, SOON).toMatchObject({ isSent: true });
  });

  it('tries again later when the server has no time now, with the same Message-ID', async () => {
    smtp.refusals.push({ status: 451, message: 'Greylisted, come back later' });
    const mailer = start();
    await signUp();
    await expect.poll(row, SOON).toMatchObject({
      attempts: 1,
      isSent: false,
      hasBody: true,
      lastError: expect.stringContaining('Greylisted'),
    });
    expect((await row())?.dueInMs).toBeLessThanOrEqual(5000);
    site.advance(6000);
    mailer.kick();
    await expect.poll(row, SOON).toMatchObject({ attempts: 2, isSent: true, lastError: null });
    expect(smtp.received[0]?.raw).toMatch(/Message-ID: <mail_\w+@gateway\.example>/);
  });

  it('gives up immediately when the server refuses the email for good', async () => {
    smtp.refusals.push({ status: 550, message: 'No such mailbox' });
    start();
    await signUp();
    await expect.poll(row, SOON).toMatchObject({
      attempts: 1,
      isSent: false,
      hasBody: false,
      lastError: expect.stringContaining('No such mailbox'),
    });
  });

  it('keeps what a server quotes from the email out of the database and the log', async () => {
    const quoted = 'Blocked http://127.0.0.1:3000/verify?token=x and 123456';
    smtp.refusals.push({ status: 554, message: quoted });
    start();
    await signUp();
    await expect
      .poll(row, SOON)
      .toMatchObject({ lastError: expect.stringContaining('Blocked [link] and [code]') });
    expect(site.logLines.join('')).not.toContain('token=x');
  });

  it('gives up after seven attempts', async () => {
    const smtpUrl = `smtp://127.0.0.1:${await findFreePort()}`;
    const mailer = start(createSmtpPostman({ smtpUrl, from: FROM }));
    await signUp();
    const failures = () => site.logLines.filter((line) => line.includes('"smtpError"')).length;
    for (let attempt = 1; attempt <= 7; attempt++) {
      await expect.poll(failures, SOON).toBe(attempt);
      expect(await row()).toMatchObject({ attempts: attempt, hasBody: attempt < 7 });
      site.advance(2 * 3_600_000 + 1000);
      mailer.kick();
    }
    expect((await row())?.lastError).toMatch(/ECONNREFUSED|ESOCKET|ECONNECTION/);
  });

  it('sends an email once where several processes look for it', async () => {
    await Promise.all(Array.from({ length: 12 }, signUp));
    for (let i = 0; i < 4; i++) start();
    await expect.poll(() => smtp.received.length, SOON).toBe(12);
    await Promise.all(mailers.map((mailer) => mailer.stop()));
    expect(smtp.received).toHaveLength(12);
    expect(new Set(smtp.received.flatMap((mail) => mail.to)).size).toBe(12);
  });

  it('finds at its start what a process before it left unsent', async () => {
    await signUp();
    start();
    await expect.poll(() => smtp.received.length, SOON).toBe(1);
  });

  it('leaves an email to the next process where the one that took it died', async () => {
    await signUp();
    await site.deps.db.sql`UPDATE outbox SET attempts = 1, next_attempt_at = now() + interval '120 seconds'`;
    const mailer = start();
    await mailer.stop();
    expect(smtp.received).toHaveLength(0);
    site.advance(121_000);
    start();
    await expect.poll(() => smtp.received.length, SOON).toBe(1);
  });

  it('sends no email that is older than a day', async () => {
    await signUp();
    await site.deps.db.sql`UPDATE outbox SET created_at = now() - interval '25 hours'`;
    start();
    await expect.poll(row, SOON).toMatchObject({ isSent: false, hasBody: false });
    expect(smtp.received).toHaveLength(0);
  });

  it('says so where the email was sealed under another key, and goes on', async () => {
    await signUp();
    const sealer = createSealer(randomBytes(32).toString('base64'));
    const mail = { subject: 'Hello', text: 'text', html: '<p>text</p>' };
    await queueMail(site.deps.db, sealer, { recipient: 'b@example.com', mail });
    start(undefined, sealer);
    await expect.poll(() => smtp.received.length, SOON).toBe(1);
    expect(smtp.received[0]?.to).toEqual(['b@example.com']);
    const failed = await site.deps.db.sql`SELECT 1 FROM outbox WHERE last_error LIKE 'Sealed under%'`;
    expect(failed).toHaveLength(1);
  });

  it('lets no recipient smuggle in another one or a header', async () => {
    const mail = { subject: 'Hello\r\nBcc: c@example.com', text: 'text', html: '<p>text</p>' };
    await queueMail(site.deps.db, site.deps.sealer, { recipient: 'b@example.com', mail });
    start();
    await expect.poll(() => smtp.received.length, SOON).toBe(1);
    expect(smtp.received[0]?.to).toEqual(['b@example.com']);
    expect(smtp.received[0]?.raw).not.toMatch(/^Bcc:/m);
  });
});
