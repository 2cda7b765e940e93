import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { COMPILE_CACHE } from '@tollgate/testing/compile-cache';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newEmail, PASSWORD } from './testing/people.ts';
import { startSmtpServer, type TestSmtpServer } from './testing/smtp-fixture.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

describe('the console process', () => {
  let database: TestDatabase;
  let smtp: TestSmtpServer;
  beforeAll(async () => {
    [database, smtp] = await Promise.all([createTestDatabase(), startSmtpServer()]);
  });
  afterAll(async () => {
    await Promise.all([database[Symbol.asyncDispose](), smtp[Symbol.asyncDispose]()]);
  });

  async function start(
    changes: Record<string, string>,
  ): Promise<{ child: ChildProcess; output: () => string }> {
    const child = spawn(
      process.execPath,
      ['--import', import.meta.resolve('@tollgate/db/quick-imports'), MAIN],
      {
        env: {
          PATH: process.env['PATH'],
          NODE_COMPILE_CACHE: COMPILE_CACHE,
          DATABASE_URL: database.url,
          ENCRYPTION_KEY: Buffer.alloc(32, 3).toString('base64'),
          SMTP_URL: smtp.url,
          MAIL_FROM: 'Tollgate <no-reply@example.com>',
          ...changes,
        },
      },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => {
        output += chunk;
      });
    }
    return { child, output: () => output };
  }

  it('serves, emails, prints the operator link once, and ends cleanly on SIGTERM', async () => {
    const port = await findFreePort();
    const { child, output } = await start({ CONSOLE_PORT: String(port) });
    await expect.poll(output, { timeout: 25_000 }).toContain('/sign-up?operator=');
    const origin = `http://127.0.0.1:${port}`;
    const email = newEmail();
    const response = await fetch(`${origin}/trpc/auth.signUp`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    const browser = response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    expect(await response.json()).toEqual({ result: { data: { resendAfterSeconds: 60 } } });
    await expect.poll(() => smtp.received.map((mail) => mail.to[0]), { timeout: 5000 }).toEqual([email]);
    const token = /token=3D([\w-]+(?:=\r\n[\w-]+)*)/
      .exec(smtp.received[0]?.raw ?? '')?.[1]
      ?.replaceAll('=\r\n', '');
    const verified = await fetch(`${origin}/trpc/auth.verifyEmail`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json', cookie: browser },
      body: JSON.stringify({ token }),
    });
    const cookie = verified.headers.getSetCookie().find((line) => line.startsWith('tollgate_session=')) ?? '';
    expect(cookie).toMatch(/^tollgate_session=\w{40}; .*HttpOnly/);
    const pair = cookie.split(';')[0] ?? '';
    const session = await fetch(`${origin}/trpc/session.get`, { headers: { cookie: pair } });
    expect(await session.json()).toMatchObject({
      result: { data: { user: { email, emailVerified: true } } },
    });
    const forged = { method: 'POST', headers: { cookie: pair, origin: 'https://evil.example' } };
    expect((await fetch(`${origin}/trpc/auth.signOutEverywhere`, forged)).status).toBe(403);
    // The pages may not be built here.
    expect(await (await fetch(`${origin}/readyz`)).json()).toMatchObject({ checks: { database: 'ok' } });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(output()).not.toContain(PASSWORD);
    expect(output()).not.toContain(email);
  });

  it('does not print the operator link if npm start does', async () => {
    const port = await findFreePort();
    const { child, output } = await start({ CONSOLE_PORT: String(port), TOLLGATE_ORCHESTRATED: '1' });
    await expect.poll(output, { timeout: 25_000 }).toContain('console ready');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(output()).not.toContain('operator=');
  });

  it('reports in one line that its port is in use, and which setting changes it', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const address = blocker.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const { child, output } = await start({ CONSOLE_PORT: String(port) });
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(output()).toBe(`Port ${port} is taken on 127.0.0.1: set CONSOLE_PORT to another port\n`);
    blocker.close();
  });

  it.each([
    ['STRIPE_SECRET_KEY', 'sk_test_x', 'STRIPE_WEBHOOK_SECRET is required with STRIPE_SECRET_KEY'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_x', 'STRIPE_SECRET_KEY is required with STRIPE_WEBHOOK_SECRET'],
  ])('refuses to start with %s alone, and says why', async (name, value, reason) => {
    const { child, output } = await start({ [name]: value });
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(output()).toContain(reason);
    expect(output().trim().split('\n')).toHaveLength(1);
    expect(output()).not.toContain(value);
  });

  it('starts with Stripe, and its webhook rejects unsigned events', async () => {
    const port = await findFreePort();
    const { child, output } = await start({
      CONSOLE_PORT: String(port),
      STRIPE_SECRET_KEY: 'sk_test_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
    });
    await expect.poll(output, { timeout: 25_000 }).toContain('console ready');
    const hook = await fetch(`http://127.0.0.1:${port}/webhooks/stripe`, { method: 'POST', body: '{}' });
    expect(hook.status).toBe(400);
    const testPage = await fetch(`http://127.0.0.1:${port}/dev/pay/pay_1`, { method: 'POST' });
    expect(testPage.status).toBe(404);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(output()).not.toContain('sk_test_x');
  });

  it('exits if it cannot start its jobs, so that it can be restarted', { timeout: 90_000 }, async () => {
    await using broken = await createTestDatabase();
    await broken.db.sql`ALTER TABLE tollgate_jobs.queue RENAME TO hidden`;
    const { child, output } = await start({
      CONSOLE_PORT: String(await findFreePort()),
      DATABASE_URL: broken.url,
    });
    expect(await once(child, 'exit', { signal: AbortSignal.timeout(60_000) })).toEqual([1, null]);
    expect(output()).toContain('tollgate_jobs.queue');
  });

  it('refuses to start in production without an email server and a key', async () => {
    const { child, output } = await start({ SMTP_URL: '', ENCRYPTION_KEY: '' });
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(output().trim().split('\n')).toHaveLength(2);
  });
});
