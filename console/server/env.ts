import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { mintLinkToken } from '@tollgate/auth/one-time-code';
import { parseUsd } from '@tollgate/core/money/money';
import { listenHostSchema, localUrl } from '@tollgate/core/runtime/local-address';
import { isLoopbackName } from '@tollgate/core/providers/origins';
import { NANO_USD_PER_CENT } from '@tollgate/db/queries/payments/payments';
import {
  readProxyEnvironment,
  type ProxyEnvironment,
} from '@tollgate/upstreams/connection/proxy-environment';
import { z } from 'zod';
import type { ExternalSettings } from './auth/external/create-providers.ts';
import type { TopUpRange } from './payments/amounts.ts';
import type { PaymentSettings } from './payments/create-payments.ts';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const LEAST_PAYMENT = 500_000_000n;
const MOST_PAYMENT = 999_999_990_000_000n;

/** An empty variable means the same as none: `FOO= npm start`. */
const text = z
  .string()
  .optional()
  .transform((value) => (value === undefined || value.trim() === '' ? undefined : value.trim()));

const wholeNumber = (fallback: number, least: number, most: number) =>
  text
    .transform((value) => (value === undefined ? fallback : Number(value)))
    .pipe(
      z
        .int(`must be a whole number from ${least} to ${most}`)
        .min(least, `must be at least ${least}`)
        .max(most, `must be at most ${most}`),
    );

/** Bounds of a payment: Stripe accepts $0.50 to $999,999.99. */
const dollars = (fallback: string) =>
  text.transform((value, context) => {
    const amount = parseUsd(value ?? fallback);
    if (
      amount !== null &&
      amount >= LEAST_PAYMENT &&
      amount <= MOST_PAYMENT &&
      amount % NANO_USD_PER_CENT === 0n
    )
      return amount;
    context.addIssue({ code: 'custom', message: 'must be dollars from 0.50 to 999999.99' });
    return z.NEVER;
  });

const webUrl = text.pipe(
  z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
);

const encryptionKey = text.pipe(
  z
    .string()
    .refine(
      (key) => Buffer.from(key, 'base64').length === 32,
      'must be 32 bytes in base64: openssl rand -base64 32',
    )
    .optional(),
);

/** Secrets go to it, so it is https, or on this machine. */
const issuerUrl = text.pipe(
  z
    .url({ protocol: /^https?$/, error: 'must be an https URL' })
    .refine(
      // Checks run although an earlier one failed: the value may be no URL.
      (url) => url.startsWith('https:') || isLoopbackName(URL.parse(url)?.hostname ?? ''),
      'must be an https URL',
    )
    .optional(),
);

export const envSchema = z.object({
  DATABASE_URL: text.pipe(
    z
      .url({
        protocol: /^postgres(ql)?$/,
        error: 'must look like postgres://user:password@host:5432/database',
      })
      .optional(),
  ),
  DATA_DIR: text.transform((value) => path.resolve(CHECKOUT, value ?? '.data')),
  CONSOLE_HOST: text.pipe(listenHostSchema),
  CONSOLE_PORT: wholeNumber(3000, 1, 65_535),
  API_HOST: text.pipe(listenHostSchema),
  API_PORT: wholeNumber(8787, 1, 65_535),
  PUBLIC_API_URL: webUrl.refine((url) => url === undefined || url.endsWith('/v1'), 'must end with /v1'),
  PUBLIC_CONSOLE_URL: webUrl,
  ENCRYPTION_KEY: encryptionKey,
  SMTP_URL: text.pipe(
    z
      .url({ protocol: /^smtps?$/, error: 'must look like smtps://user:password@mail.example.com' })
      .optional(),
  ),
  MAIL_FROM: text,
  TRUSTED_PROXY_HOPS: wholeNumber(0, 0, 10),
  STRIPE_SECRET_KEY: text.pipe(
    z
      .string()
      .regex(/^(sk|rk)_\S+$/, 'must start with sk_ or rk_')
      .optional(),
  ),
  STRIPE_WEBHOOK_SECRET: text.pipe(
    z
      .string()
      .regex(/^whsec_\S+$/, 'must start with whsec_')
      .optional(),
  ),
  RECEIPT_ISSUER: text,
  GITHUB_CLIENT_ID: text,
  GITHUB_CLIENT_SECRET: text,
  GOOGLE_CLIENT_ID: text,
  GOOGLE_CLIENT_SECRET: text,
  OIDC_ISSUER: issuerUrl,
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET: text,
  OIDC_LABEL: text.pipe(z.string().max(40, 'must have at most 40 characters').default('single sign-on')),
  TOP_UP_MIN_USD: dollars('5'),
  TOP_UP_MAX_USD: dollars('1000'),
  LOG_LEVEL: text.pipe(
    z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
        error: 'must be trace, debug, info, warn, error, fatal or silent',
      })
      .default('info'),
  ),
  PROXY_HIDES_CLIENT_ADDRESS: text.transform((value) => value === '1'),
  TOLLGATE_ORCHESTRATED: text.transform((value) => value === '1'),
  TOLLGATE_LOCAL_TOOLS_TOKEN: text,
});

export interface Env {
  /** `embedded` where DATABASE_URL is not set: the database and its secrets are those of `dataDir`. */
  database:
    | { mode: 'embedded'; dataDir: string; encryptionKey: string | null }
    | { mode: 'external'; url: string; encryptionKey: string };
  host: string;
  port: number;
  publicApiUrl: string;
  publicConsoleUrl: string;
  /** null: emails stay in the database, for `/dev/mailbox`. */
  mail: { smtpUrl: string; from: string } | null;
  /** Token for the mailbox and the test payments; null: emails are sent and there are no test payments. */
  localToolsToken: string | null;
  trustedProxyHops: number;
  payments: PaymentSettings;
  external: ExternalSettings;
  topUp: TopUpRange;
  /** The operator's name and address on receipts. */
  receiptIssuer: string | null;
  logLevel: string;
  /** The forward proxies to providers. */
  proxies: ProxyEnvironment;
  /** True if `npm start` started this process and prints its messages. */
  isOrchestrated: boolean;
}

/**
 * Reads and validates the environment.
 * @returns all errors, one per line, if there are any
 */
export function readEnv(
  source: NodeJS.ProcessEnv = process.env,
): { ok: true; env: Env } | { ok: false; problems: string[] } {
  const parsed = envSchema.safeParse(source);
  const issues = parsed.success ? [] : parsed.error.issues;
  const problems = issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  const { proxies, problems: proxyProblems } = readProxyEnvironment(source);
  problems.push(...proxyProblems, ...listMissing(source));
  // Variables without a problem are held against each other in the same go.
  const wrong = new Set(issues.map(({ path: [name] }) => name));
  const rest = Object.entries(source).filter(([name]) => !wrong.has(name));
  const sound = parsed.success ? parsed : envSchema.safeParse(Object.fromEntries(rest));
  if (sound.success && sound.data.TOP_UP_MIN_USD > sound.data.TOP_UP_MAX_USD)
    problems.push('TOP_UP_MIN_USD must not be more than TOP_UP_MAX_USD');
  if (sound.success) problems.push(...listExposed(sound.data));
  if (!parsed.success || problems.length > 0) return { ok: false, problems };
  return { ok: true, env: { ...toEnv(parsed.data), proxies } };
}

/** Variables that require others; checked separately, so that all errors are reported together. */
function listMissing(source: NodeJS.ProcessEnv): string[] {
  const isSet = (name: string) => (source[name] ?? '').trim() !== '';
  const missing: string[] = [];
  if (isSet('DATABASE_URL') && !isSet('ENCRYPTION_KEY'))
    missing.push('ENCRYPTION_KEY is required with DATABASE_URL: openssl rand -base64 32');
  if (isSet('DATABASE_URL') && !isSet('SMTP_URL'))
    missing.push('SMTP_URL is required with DATABASE_URL: accounts are verified by email');
  // Both are named together: one without the other would only be the next problem.
  if ((isSet('SMTP_URL') || isSet('DATABASE_URL')) && !isSet('MAIL_FROM'))
    missing.push('MAIL_FROM is required with SMTP_URL, such as Tollgate <tollgate@example.com>');
  if (isSet('STRIPE_SECRET_KEY') && !isSet('STRIPE_WEBHOOK_SECRET'))
    missing.push(
      'STRIPE_WEBHOOK_SECRET is required with STRIPE_SECRET_KEY: without it, payments are not credited',
    );
  if (isSet('STRIPE_WEBHOOK_SECRET') && !isSet('STRIPE_SECRET_KEY'))
    missing.push('STRIPE_SECRET_KEY is required with STRIPE_WEBHOOK_SECRET: payments need both');
  for (const group of EXTERNAL_GROUPS) {
    const set = group.filter(isSet);
    if (set.length > 0)
      missing.push(
        ...group
          .filter((name) => !isSet(name))
          .map((name) => `${name} is required with ${set.join(' and ')}`),
      );
  }
  return missing;
}

/** Settings that would open the installation to strangers under this public URL. */
function listExposed(values: z.infer<typeof envSchema>): string[] {
  const publicUrl = new URL(getPublicConsoleUrl(values));
  const problems: string[] = [];
  // With DATABASE_URL the email server is required anyway.
  if (
    !isLoopbackName(publicUrl.hostname) &&
    values.SMTP_URL === undefined &&
    values.DATABASE_URL === undefined
  )
    problems.push(
      'SMTP_URL is required when PUBLIC_CONSOLE_URL is not an address of this machine: the mailbox of unsent emails opens only locally',
    );
  const hidesClients = values.TRUSTED_PROXY_HOPS === 0 && !values.PROXY_HIDES_CLIENT_ADDRESS;
  if (publicUrl.protocol === 'https:' && hidesClients)
    problems.push(
      'TRUSTED_PROXY_HOPS is required when PUBLIC_CONSOLE_URL is https: the number of proxies that add to X-Forwarded-For, such as 1. If your proxy does not send that header, set PROXY_HIDES_CLIENT_ADDRESS=1; all visitors then share one limit for sign-ins',
    );
  return problems;
}

function getPublicConsoleUrl(values: z.infer<typeof envSchema>): string {
  return values.PUBLIC_CONSOLE_URL ?? localUrl(values.CONSOLE_HOST, values.CONSOLE_PORT);
}

/** Settings that must be set together. */
const EXTERNAL_GROUPS = [
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
] as const;

function toExternal(values: z.infer<typeof envSchema>): ExternalSettings {
  const client = (clientId: string | undefined, clientSecret: string | undefined) =>
    clientId === undefined || clientSecret === undefined ? null : { clientId, clientSecret };
  const oidc = client(values.OIDC_CLIENT_ID, values.OIDC_CLIENT_SECRET);
  const { OIDC_ISSUER: issuer, OIDC_LABEL: label } = values;
  return {
    github: client(values.GITHUB_CLIENT_ID, values.GITHUB_CLIENT_SECRET),
    google: client(values.GOOGLE_CLIENT_ID, values.GOOGLE_CLIENT_SECRET),
    oidc: oidc === null || issuer === undefined ? null : { ...oidc, issuer, label },
  };
}

function toEnv(values: z.infer<typeof envSchema>): Omit<Env, 'proxies'> {
  const { DATABASE_URL: url, ENCRYPTION_KEY: encryptionKey, SMTP_URL: smtpUrl, MAIL_FROM: from } = values;
  return {
    database:
      url === undefined || encryptionKey === undefined
        ? { mode: 'embedded', dataDir: values.DATA_DIR, encryptionKey: encryptionKey ?? null }
        : { mode: 'external', url, encryptionKey },
    host: values.CONSOLE_HOST,
    port: values.CONSOLE_PORT,
    publicApiUrl: values.PUBLIC_API_URL ?? `${localUrl(values.API_HOST, values.API_PORT)}/v1`,
    publicConsoleUrl: getPublicConsoleUrl(values),
    mail: smtpUrl === undefined || from === undefined ? null : { smtpUrl, from },
    localToolsToken: toLocalToolsToken(values),
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
    payments: toPayments(values),
    external: toExternal(values),
    receiptIssuer: values.RECEIPT_ISSUER ?? null,
    topUp: { minNanoUsd: values.TOP_UP_MIN_USD, maxNanoUsd: values.TOP_UP_MAX_USD },
    logLevel: values.LOG_LEVEL,
    isOrchestrated: values.TOLLGATE_ORCHESTRATED,
  };
}

/** @returns the token that `npm start` prints, or a new one for this process to print */
function toLocalToolsToken(values: z.infer<typeof envSchema>): string | null {
  const hasTools = values.SMTP_URL === undefined || toPayments(values).mode === 'test';
  return hasTools ? (values.TOLLGATE_LOCAL_TOOLS_TOKEN ?? mintLinkToken().token) : null;
}

/** The embedded database under a local address is for trying things out: payments need no money there. */
function toPayments(values: z.infer<typeof envSchema>): PaymentSettings {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = values;
  if (secretKey !== undefined && webhookSecret !== undefined)
    return { mode: 'stripe', secretKey, webhookSecret };
  const isLocal = isLoopbackName(new URL(getPublicConsoleUrl(values)).hostname);
  return { mode: values.DATABASE_URL === undefined && isLocal ? 'test' : 'none' };
}
