import { fileURLToPath } from 'node:url';
import { homedir } from 'node:os';
import path from 'node:path';
import { listenHostSchema } from '@tollgate/core/runtime/local-address';
import {
  readProxyEnvironment,
  type ProxyEnvironment,
} from '@tollgate/upstreams/connection/proxy-environment';
import { z } from 'zod';

/** The root of this checkout. */
export const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));

const PORT_RANGE = 'must be a port from 1 to 65535';

/** Treats an empty variable as unset: `FOO= npm start`. */
const text = z
  .string()
  .optional()
  .transform((value) => (value === undefined || value.trim() === '' ? undefined : value.trim()));

const port = (fallback: number) =>
  text
    .transform((value) => (value === undefined ? fallback : Number(value)))
    .pipe(z.int('must be a port number').min(1, PORT_RANGE).max(65_535, PORT_RANGE));

const webUrl = text.pipe(
  z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => url.replace(/\/+$/, ''))
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
  ENCRYPTION_KEY: text,
  API_HOST: text.pipe(listenHostSchema),
  API_PORT: port(8787),
  /** Checked by the api. */
  API_WORKERS: text,
  CONSOLE_HOST: text.pipe(listenHostSchema),
  CONSOLE_PORT: port(3000),
  PUBLIC_API_URL: webUrl.refine((url) => url === undefined || url.endsWith('/v1'), 'must end with /v1'),
  PUBLIC_CONSOLE_URL: webUrl,
  LOG_LEVEL: text.pipe(
    z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
        error: 'must be trace, debug, info, warn, error, fatal or silent',
      })
      .default('info'),
  ),
  /** The services use it. Here it only decides whether emails are sent or kept in the mailbox. */
  SMTP_URL: text,
  STRIPE_SECRET_KEY: text,
  PROVIDER_API_KEY: text,
  /** The key that `tollgate connect` uses. */
  SERVICE_API_KEY: text,
  HOME: text.transform((value) => value ?? homedir()),
  /** Folders of configurations, as their clients read them. */
  CODEX_HOME: text,
  CLAUDE_CONFIG_DIR: text,
  XDG_CONFIG_HOME: text,
});

export type CliEnv = z.infer<typeof envSchema> & {
  /** HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in upper or lower case. */
  proxies: ProxyEnvironment;
};

/**
 * Reads the environment of the command line and `npm start`.
 * @throws Error that lists every invalid variable on one line
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env): CliEnv {
  const parsed = envSchema.safeParse(source);
  const { proxies, problems: proxyProblems } = readProxyEnvironment(source);
  if (parsed.success && proxyProblems.length === 0) return { ...parsed.data, proxies };
  const issues = parsed.error?.issues ?? [];
  const problems = [...issues.map((issue) => `${issue.path.join('.')} ${issue.message}`), ...proxyProblems];
  throw new Error(problems.join('; '));
}

/** Reads one variable, for a provider whose credential is in one. */
export function readVariable(name: string): string | undefined {
  return process.env[name];
}

/**
 * How the user runs the command line, to print commands that work when typed: `tollgate` is on PATH only if it was
 * installed there.
 */
export function readInvocation(source: NodeJS.ProcessEnv = process.env): string {
  // npm sets both for what it runs: https://docs.npmjs.com/cli/v11/using-npm/scripts#current-lifecycle-event
  if (source['npm_lifecycle_event'] === undefined) return 'tollgate';
  return source['npm_command'] === 'exec' ? 'npx tollgate' : 'npm run -s tollgate --';
}

/**
 * The variable that a command needs to find the same installation: `DATA_DIR=/srv/tollgate `; '' if it needs none. External
 * databases are set for the whole shell, because their variables are secret.
 */
export function readDataDirVariable(source: NodeJS.ProcessEnv = process.env): string {
  const isSet = (name: string) => (source[name] ?? '').trim() !== '';
  if (!isSet('DATA_DIR') || isSet('DATABASE_URL')) return '';
  const dataDir = (source['DATA_DIR'] ?? '').trim();
  return `DATA_DIR=${/^[\w./~-]+$/.test(dataDir) ? dataDir : `'${dataDir.replaceAll("'", String.raw`'\''`)}'`} `;
}

/** This process's environment with changes, for a child process. */
export function childEnvironment(changes: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...changes };
}
