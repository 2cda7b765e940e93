import { describe, expect, it } from 'vitest';
import { readEnv } from './env.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const PRODUCTION = {
  DATABASE_URL: 'postgres://tollgate:x@db.example:5432/tollgate',
  ENCRYPTION_KEY: KEY,
  SMTP_URL: 'smtps://user:x@mail.example.com',
  MAIL_FROM: 'Tollgate <no-reply@example.com>',
};

describe('readEnv', () => {
  it('runs embedded on this machine if nothing is set', () => {
    const read = readEnv({});
    expect(read).toMatchObject({
      ok: true,
      env: {
        database: { mode: 'embedded', dataDir: expect.stringMatching(/\/\.data$/), encryptionKey: null },
        host: '127.0.0.1',
        port: 3000,
        publicApiUrl: 'http://127.0.0.1:8787/v1',
        publicConsoleUrl: 'http://127.0.0.1:3000',
        mail: null,
        trustedProxyHops: 0,
        payments: { mode: 'test' },
        topUp: { minNanoUsd: 5_000_000_000n, maxNanoUsd: 1_000_000_000_000n },
        receiptIssuer: null,
        proxies: { http: null, https: null, noProxy: null },
        logLevel: 'info',
        isOrchestrated: false,
      },
    });
  });

  it('treats an empty variable as unset', () => {
    expect(readEnv({ DATABASE_URL: '', CONSOLE_PORT: ' ', SMTP_URL: '' })).toMatchObject({
      ok: true,
      env: { port: 3000, mail: null },
    });
  });

  it('lets the public addresses follow the ports, and drops a slash at their end', () => {
    expect(readEnv({ CONSOLE_PORT: '3100', API_PORT: '8800' })).toMatchObject({
      env: { publicConsoleUrl: 'http://127.0.0.1:3100', publicApiUrl: 'http://127.0.0.1:8800/v1' },
    });
    const urls = { PUBLIC_CONSOLE_URL: 'https://c.example/', PUBLIC_API_URL: 'https://api.example/v1/' };
    expect(readEnv({ ...PRODUCTION, TRUSTED_PROXY_HOPS: '1', ...urls })).toMatchObject({
      env: { publicConsoleUrl: 'https://c.example', publicApiUrl: 'https://api.example/v1' },
    });
  });

  it('reads a production environment', () => {
    expect(readEnv({ ...PRODUCTION, TRUSTED_PROXY_HOPS: '1' })).toMatchObject({
      ok: true,
      env: {
        database: { mode: 'external', url: PRODUCTION.DATABASE_URL, encryptionKey: KEY },
        mail: { smtpUrl: PRODUCTION.SMTP_URL, from: PRODUCTION.MAIL_FROM },
        trustedProxyHops: 1,
      },
    });
  });

  it('refuses production without a key and an email server, a line for each', () => {
    const read = readEnv({ DATABASE_URL: PRODUCTION.DATABASE_URL });
    expect(read).toEqual({
      ok: false,
      problems: [
        'ENCRYPTION_KEY is required with DATABASE_URL: openssl rand -base64 32',
        'SMTP_URL is required with DATABASE_URL: accounts are verified by email',
        'MAIL_FROM is required with SMTP_URL, such as Tollgate <tollgate@example.com>',
      ],
    });
  });

  it('knows the sign-in providers that are set up, and no others', () => {
    const read = readEnv({
      GITHUB_CLIENT_ID: 'a',
      GITHUB_CLIENT_SECRET: 'b',
      OIDC_ISSUER: 'https://login.example.com/realms/acme',
      OIDC_CLIENT_ID: 'c',
      OIDC_CLIENT_SECRET: 'd',
    });
    expect(read.ok && read.env.external).toEqual({
      github: { clientId: 'a', clientSecret: 'b' },
      google: null,
      oidc: {
        clientId: 'c',
        clientSecret: 'd',
        issuer: 'https://login.example.com/realms/acme',
        label: 'single sign-on',
      },
    });
  });

  it.each([
    [{ GITHUB_CLIENT_ID: 'a' }, 'GITHUB_CLIENT_SECRET is required with GITHUB_CLIENT_ID'],
    [{ GOOGLE_CLIENT_SECRET: 'a' }, 'GOOGLE_CLIENT_ID is required with GOOGLE_CLIENT_SECRET'],
    [{ OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }, 'OIDC_ISSUER is required with OIDC_CLIENT_ID and'],
    [{ OIDC_ISSUER: 'http://login.example.com' }, 'OIDC_ISSUER must be an https URL'],
    [{ OIDC_ISSUER: 'login.example.com' }, 'OIDC_ISSUER must be an https URL'],
  ])('refuses half a sign-in provider, or one that is asked in the clear: %j', (source, problem) => {
    const read = readEnv(source);
    expect(!read.ok && read.problems.join('\n')).toContain(problem);
  });

  const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' };

  it('accepts payments with both Stripe secrets, and none in production without them', () => {
    for (const source of [STRIPE, { ...PRODUCTION, ...STRIPE }])
      expect(readEnv(source)).toMatchObject({
        env: { payments: { mode: 'stripe', secretKey: 'sk_test_x', webhookSecret: 'whsec_x' } },
      });
    expect(readEnv(PRODUCTION)).toMatchObject({ env: { payments: { mode: 'none' } } });
  });

  it.each([
    ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET is required with STRIPE_SECRET_KEY'],
    ['STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY is required with STRIPE_WEBHOOK_SECRET'],
  ] as const)('refuses half a configuration of Stripe: %s alone', (name, problem) => {
    for (const source of [{}, PRODUCTION]) {
      const read = readEnv({ ...source, [name]: STRIPE[name] });
      expect(read).toEqual({ ok: false, problems: [expect.stringContaining(problem)] });
    }
  });

  it('refuses secrets of Stripe that were swapped, and amounts that allow no payment', () => {
    const swapped = { STRIPE_SECRET_KEY: 'whsec_x', STRIPE_WEBHOOK_SECRET: 'sk_test_x' };
    expect(readEnv(swapped)).toMatchObject({ ok: false, problems: { length: 2 } });
    for (const amounts of [
      { TOP_UP_MIN_USD: '20', TOP_UP_MAX_USD: '10' },
      { TOP_UP_MIN_USD: '0.49' },
      { TOP_UP_MAX_USD: '1000000' },
      { TOP_UP_MIN_USD: '5.001' },
      { TOP_UP_MIN_USD: 'five' },
    ])
      expect(readEnv(amounts)).toMatchObject({ ok: false, problems: { length: 1 } });
  });

  it.each([
    ['OIDC_ISSUER', 'login.example.com', 'must be an https URL'],
    ['CONSOLE_HOST', 'two words', 'must be a host name or an IP address'],
    ['API_HOST', 'example.com/v1', 'must be a host name or an IP address'],
    ['PUBLIC_CONSOLE_URL', 'console.example.com', 'must be an http or https URL'],
    ['PUBLIC_API_URL', 'v1', 'must be an http or https URL'],
    ['DATABASE_URL', 'db.example.com', 'must look like postgres://user:password@host:5432/database'],
    ['SMTP_URL', 'mail.example.com', 'must look like smtps://user:password@mail.example.com'],
    ['ENCRYPTION_KEY', 'short', 'must be 32 bytes in base64: openssl rand -base64 32'],
    ['TOP_UP_MIN_USD', 'a', 'must be dollars from 0.50 to 999999.99'],
  ])('reports %s=%s with the errors of all other variables', (name, value, message) => {
    const read = readEnv({ [name]: value, API_PORT: 'abc' });
    expect(!read.ok && read.problems).toEqual(
      expect.arrayContaining([`${name} ${message}`, 'API_PORT must be a whole number from 1 to 65535']),
    );
  });

  it('holds the variables without a problem against each other although another one has a problem', () => {
    const read = readEnv({
      CONSOLE_PORT: 'abc',
      PUBLIC_CONSOLE_URL: 'https://x.example',
      TOP_UP_MIN_USD: '90',
      TOP_UP_MAX_USD: '80',
    });
    const problems = read.ok ? [] : read.problems;
    for (const name of ['CONSOLE_PORT', 'SMTP_URL', 'TRUSTED_PROXY_HOPS', 'TOP_UP_MIN_USD'])
      expect(problems.filter((problem) => problem.startsWith(name))).toHaveLength(1);
  });

  it('lists all problems together', () => {
    const read = readEnv({
      DATABASE_URL: 'mysql://x',
      CONSOLE_PORT: '99999',
      PUBLIC_API_URL: 'https://api.example',
      PUBLIC_CONSOLE_URL: 'console.example',
      ENCRYPTION_KEY: 'short',
      SMTP_URL: 'mail.example.com',
      TRUSTED_PROXY_HOPS: '-1',
      LOG_LEVEL: 'loud',
    });
    const problems = read.ok ? [] : read.problems.map((problem) => problem.split(' ')[0]);
    expect(problems).toEqual([
      'DATABASE_URL',
      'CONSOLE_PORT',
      'PUBLIC_API_URL',
      'PUBLIC_CONSOLE_URL',
      'ENCRYPTION_KEY',
      'SMTP_URL',
      'TRUSTED_PROXY_HOPS',
      'LOG_LEVEL',
      'MAIL_FROM',
    ]);
  });

  it.each([
    ['https://console.example', {}, ['SMTP_URL', 'TRUSTED_PROXY_HOPS']],
    ['http://192.168.1.5:3000', {}, ['SMTP_URL']],
    ['http://localhost.example:3000', {}, ['SMTP_URL']],
    ['https://console.example', PRODUCTION, ['TRUSTED_PROXY_HOPS']],
    ['https://console.example', { ...PRODUCTION, TRUSTED_PROXY_HOPS: '0' }, ['TRUSTED_PROXY_HOPS']],
    ['https://console.example', { ...PRODUCTION, TRUSTED_PROXY_HOPS: '1' }, []],
    ['https://console.example', { ...PRODUCTION, PROXY_HIDES_CLIENT_ADDRESS: '1' }, []],
    ['http://[::1]:3000', {}, []],
  ])('starts as %s only with what keeps strangers out: %o', (url, source, missing) => {
    const read = readEnv({ ...source, PUBLIC_CONSOLE_URL: url });
    expect(read.ok ? [] : read.problems.map((problem) => problem.split(' ')[0])).toEqual(missing);
  });

  it('offers the mailbox and test payments only on a local address, behind a secret', () => {
    const local = readEnv({});
    expect(local).toMatchObject({ env: { localToolsToken: expect.stringMatching(/^[\w-]{43}$/) } });
    expect(readEnv({})).not.toEqual(local);
    expect(readEnv({ TOLLGATE_LOCAL_TOOLS_TOKEN: 'x' })).toMatchObject({ env: { localToolsToken: 'x' } });
    expect(readEnv(PRODUCTION)).toMatchObject({ env: { localToolsToken: null } });
    const { SMTP_URL, MAIL_FROM } = PRODUCTION;
    const lan = { SMTP_URL, MAIL_FROM, PUBLIC_CONSOLE_URL: 'http://192.168.1.5:3000' };
    expect(readEnv(lan)).toMatchObject({ env: { localToolsToken: null, payments: { mode: 'none' } } });
  });

  it('never repeats the value of a variable, which may be a secret', () => {
    const read = readEnv({
      ENCRYPTION_KEY: 'hunter2hunter2',
      SMTP_URL: 'user:hunter2@mail',
      DATABASE_URL: 'hunter2',
    });
    expect(JSON.stringify(read)).not.toContain('hunter2');
  });
});
