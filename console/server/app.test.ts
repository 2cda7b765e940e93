import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createPasswordHasher } from '@tollgate/auth/password';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from './testing/console-fixture.ts';
import { newEmail, PASSWORD, signUpVerified } from './testing/people.ts';
import { getRefusal } from './testing/visitor.ts';

describe('the console app', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  const post = async (headers: Record<string, string>, body = '{}') =>
    site.fetch(
      new Request('http://127.0.0.1:3000/trpc/auth.signOut', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      }),
      '10.0.0.1',
    );

  it.each([
    ['none', undefined],
    ["a stranger's", 'https://evil.example'],
    ['null', 'null'],
    ['another port of this machine', 'http://127.0.0.1:3001'],
    ['the same host by another scheme', 'https://127.0.0.1:3000'],
    ['one that begins alike', 'http://127.0.0.1:3000.evil.example'],
  ])('refuses a mutation whose origin is %s', async (_, origin) => {
    const response = await post(origin === undefined ? {} : { origin });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { data: { code: 'FORBIDDEN', reason: 'origin' } } });
  });

  it.each(['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'])(
    'takes a mutation from its own page at %s',
    async (origin) => expect((await post({ origin })).status).toBe(200),
  );

  it('rejects other names of this machine if PUBLIC_CONSOLE_URL is set', async () => {
    await using open = await createTestConsole({ publicConsoleUrl: 'https://console.example.com' });
    const ask = async (origin: string) =>
      open.fetch(
        new Request('https://console.example.com/trpc/auth.signOut', {
          method: 'POST',
          body: '{}',
          headers: { origin, 'content-type': 'application/json' },
        }),
        '10.0.0.1',
      );
    expect((await ask('http://localhost:3000')).status).toBe(403);
    expect((await ask('https://console.example.com')).status).toBe(200);
  });

  it('refuses a mutation by GET', async () => {
    const request = new Request('http://127.0.0.1:3000/trpc/auth.signOut?input=%7B%7D');
    expect((await site.fetch(request, '10.0.0.1')).status).toBe(405);
  });

  it('refuses a body of more than 256 KiB', async () => {
    const response = await post({ origin: 'http://127.0.0.1:3000' }, JSON.stringify('x'.repeat(300_000)));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { data: { code: 'PAYLOAD_TOO_LARGE' } } });
  });

  it('refuses more than twenty procedures immediately', async () => {
    const paths = Array.from({ length: 21 }, () => 'session.get').join(',');
    const request = new Request(`http://127.0.0.1:3000/trpc/${paths}?batch=1&input=%7B%7D`);
    expect((await site.fetch(request, '10.0.0.1')).status).toBe(400);
  });

  it('puts the security headers on every answer', async () => {
    for (const pathname of ['/', '/trpc/session.get', '/trpc/nothing', '/healthz', '/assets/none.js']) {
      const { headers } = await site.visit().get(pathname);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-request-id')).toMatch(/^req_/);
      expect(headers.has('access-control-allow-origin')).toBe(false);
    }
    expect((await site.visit().get('/trpc/session.get')).headers.get('cache-control')).toBe('no-store');
  });

  it('sets a cookie that scripts and other sites cannot use', async () => {
    const { visitor } = await signUpVerified(site);
    await visitor.client.auth.signOut.mutate();
    const [cleared] = visitor.lastSetCookies;
    expect(cleared).toMatch(/^tollgate_session=;.*Max-Age=0/);
    const email = newEmail();
    await visitor.client.auth.signUp.mutate({ email, password: PASSWORD });
    await visitor.client.auth.verifyEmail.mutate({ token: (await site.newestMailTo(email)).token });
    const cookie = visitor.lastSetCookies.find((line) => line.startsWith('tollgate_session='));
    expect(cookie).toMatch(/^tollgate_session=[a-z2-7]{40}; /);
    expect(cookie?.split('; ').slice(1).toSorted()).toEqual([
      'HttpOnly',
      'Max-Age=2592000',
      'Path=/',
      'SameSite=Lax',
    ]);
  });

  it('binds the cookie to https and the host if it is served over https', async () => {
    await using open = await createTestConsole({ publicConsoleUrl: 'https://console.example.com' });
    const { visitor } = await signUpVerified(open);
    const email = newEmail();
    await visitor.client.auth.signUp.mutate({ email, password: PASSWORD });
    expect(visitor.lastSetCookies[0]).toMatch(/; HttpOnly; SameSite=Lax; Secure$/);
    await visitor.client.auth.verifyEmail.mutate({ token: (await open.newestMailTo(email)).token });
    const session = visitor.lastSetCookies.find((line) => line.startsWith('__Host-tollgate_session='));
    expect(session?.split('; ').slice(1)).toEqual(
      expect.arrayContaining(['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure']),
    );
    expect(session).not.toMatch(/domain/i);
    const { headers } = await visitor.get('/healthz');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  it('keeps the values of a failed query out of the response and the log', async () => {
    await using broken = await createTestConsole();
    await broken.deps.db.sql`DROP TABLE outbox`;
    const email = newEmail();
    const refusal = await getRefusal(broken.visit().client.auth.signUp.mutate({ email, password: PASSWORD }));
    expect(refusal).toMatchObject({
      code: 'INTERNAL_SERVER_ERROR',
      message: 'Something went wrong. Try again in a moment.',
    });
    const logged = broken.logLines.join('');
    expect(logged).toContain('relation \\"outbox\\" does not exist');
    expect(logged).not.toContain(email);
    // The sign-up was one transaction, so nothing of it is left.
    expect(await broken.deps.db.sql`SELECT 1 FROM users`).toHaveLength(0);
  });

  it('turns a burst of sign-ups away with a time to come back', async () => {
    await using busy = await createTestConsole();
    busy.deps.passwords = createPasswordHasher();
    const results = await Promise.allSettled(
      Array.from({ length: 90 }, () =>
        busy.visit().client.auth.signUp.mutate({ email: newEmail(), password: PASSWORD }),
      ),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused)
      expect(reason).toMatchObject({ data: { code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 3 } });
  });

  it('is alive and ready', async () => {
    expect(await (await site.visit().get('/healthz')).json()).toEqual({ status: 'ok' });
    expect(await (await site.visit().get('/readyz')).json()).toMatchObject({ checks: { database: 'ok' } });
  });
});

describe('the built app', () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'tollgate-built-'));
  const appDir = path.join(dir, 'dist');
  const page = `<!doctype html><title>Tollgate</title>${' '.repeat(2000)}`;
  let site: TestConsole;
  beforeAll(async () => {
    mkdirSync(path.join(appDir, 'assets'), { recursive: true });
    writeFileSync(path.join(dir, 'secrets.json'), 'a secret');
    writeFileSync(path.join(appDir, 'index.html'), page);
    writeFileSync(path.join(appDir, 'assets', 'main-abc123.js'), 'console.log(1);'.repeat(100));
    writeFileSync(path.join(appDir, 'assets', 'geist.woff2'), 'font');
    site = await createTestConsole({ appDir });
  });
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    rmSync(dir, { recursive: true });
  });

  it('answers every page of the app with index.html, never cached unasked', async () => {
    for (const pathname of ['/', '/keys', '/reset?token=x', '/dev/mailbox/mail_1']) {
      const response = await site.visit().get(pathname);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(await response.text()).toBe(page);
    }
  });

  it('caches assets permanently and answers 404 for missing ones', async () => {
    const found = await site.visit().get('/assets/main-abc123.js');
    expect(found.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(found.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect((await site.visit().get('/assets/main-old.js')).status).toBe(404);
  });

  it('compresses as the browser asks', async () => {
    const visitor = site.visit();
    const brotli = await visitor.get('/keys', { 'accept-encoding': 'gzip, deflate, br' });
    expect(brotli.headers.get('content-encoding')).toBe('br');
    expect(brotliDecompressSync(await brotli.arrayBuffer()).toString()).toBe(page);
    const gzip = await visitor.get('/keys', { 'accept-encoding': 'gzip' });
    expect(gunzipSync(await gzip.arrayBuffer()).toString()).toBe(page);
    const font = await visitor.get('/assets/geist.woff2', { 'accept-encoding': 'br' });
    expect(font.headers.has('content-encoding')).toBe(false);
  });

  it('answers 304 to a browser that has it', async () => {
    const etag = (await site.visit().get('/')).headers.get('etag') ?? '';
    expect((await site.visit().get('/', { 'if-none-match': etag })).status).toBe(304);
  });

  it.each([
    '/../secrets.json',
    '/..%2fsecrets.json',
    '/assets/..%2f..%2fsecrets.json',
    '/%2e%2e/secrets.json',
    '/%00',
    '/%ff',
  ])('keeps %s inside its folder', async (pathname) =>
    expect(await (await site.visit().get(pathname)).text()).not.toContain('a secret'),
  );

  it('reports that the app is not built', async () => {
    await using bare = await createTestConsole({ appDir: path.join(dir, 'none') });
    const response = await bare.visit().get('/keys');
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('npm run build');
    const ready = await bare.visit().get('/readyz');
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'unavailable', checks: { database: 'ok', pages: 'not built: run `npm run build`' } },
    ]);
  });
});
