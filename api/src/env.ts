import path from 'node:path';
import { listenHostSchema } from '@tollgate/core/runtime/local-address';
import {
  readProxyEnvironment,
  type ProxyEnvironment,
} from '@tollgate/upstreams/connection/proxy-environment';
import { z } from 'zod';
import { MIN_BODY_MEMORY_MIB, MIN_RESPONSE_MEMORY_MIB } from './request-body/default-body-memory.ts';
import { MAX_WORKERS } from './workers/count-workers.ts';
import { workerPlaceSchema } from './workers/worker-place.ts';

/** A relative DATA_DIR is resolved against this checkout, not the working directory. */
const CHECKOUT = path.resolve(import.meta.dirname, '../..');

const wholeNumber = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number(error).int(error).min(least, error).max(most, error);
};
const port = wholeNumber(0, 65_535);
const secret = z.string().min(1).optional();

/** `https://app.example.com, http://localhost:5173`, as browsers write them in `Origin`. */
const originsSchema = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((origin) => origin !== ''))
  .refine(
    (origins) => origins.every(isOrigin),
    'must be origins such as https://app.example.com, separated by commas, without a path',
  );

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

export const envSchema = z.object({
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional(),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .transform((dir) => path.resolve(CHECKOUT, dir)),
  ENCRYPTION_KEY: z
    .string()
    .refine(
      (text) => Buffer.from(text, 'base64').length === 32,
      'must be 32 bytes in base64: openssl rand -base64 32',
    )
    .optional(),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'must start with redis:// or rediss://')
    .optional(),
  API_HOST: listenHostSchema,
  API_PORT: port.default(8787),
  CONSOLE_HOST: listenHostSchema,
  CONSOLE_PORT: port.default(3000),
  /** Number of processes that share the port; auto: one for each core, as far as the memory allows. */
  API_WORKERS: z
    .union([z.literal('auto'), wholeNumber(1, MAX_WORKERS)], {
      error: `must be auto or a whole number from 1 to ${MAX_WORKERS}`,
    })
    .default(1),
  /** Set by the supervisor of workers. */
  TOLLGATE_WORKER: workerPlaceSchema.optional(),
  /** The console, whose pages may call the api from a browser. */
  PUBLIC_CONSOLE_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  /** Further origins whose pages may call the api from a browser. */
  CORS_ORIGINS: originsSchema,
  /** How long `/readyz` answers 503 before new requests are refused; unset: 5,000, and none under `npm start`. */
  DRAIN_DELAY_MS: wholeNumber(0, 600_000).optional(),
  TOLLGATE_ORCHESTRATED: z.literal('1').optional(),
  DRAIN_TIMEOUT_MS: wholeNumber(0, 3_600_000).default(30_000),
  /** Memory for request bodies, in MiB; unset: derived from the memory of the machine or cgroup. */
  BODY_MEMORY_MIB: wholeNumber(MIN_BODY_MEMORY_MIB, 1_048_576).optional(),
  /** Memory for responses that are not streams, in MiB; unset: derived as for request bodies. */
  RESPONSE_MEMORY_MIB: wholeNumber(MIN_RESPONSE_MEMORY_MIB, 1_048_576).optional(),
  /** How long a provider is read after its caller disconnected, to get its usage; 0: not at all. */
  DISCONNECT_DRAIN_MS: wholeNumber(0, 600_000).default(10_000),
  /** off: WebSockets of the Responses API are refused with 426, and clients use HTTP. */
  RESPONSES_WEBSOCKET: z.enum(['on', 'off']).default('on'),
  DEMO_PROVIDER: z.enum(['on', 'off']).optional(),
  OPENAI_API_KEY: secret,
  ANTHROPIC_API_KEY: secret,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export type ApiEnv = z.infer<typeof envSchema> & {
  /** HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in upper or lower case. */
  proxies: ProxyEnvironment;
};

/** For the processes that the supervisor of workers starts. */
export function workerEnvironment(): NodeJS.ProcessEnv {
  return process.env;
}

/**
 * Reads the environment once, at the start.
 * @throws Error that lists every problem, one per line
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env): ApiEnv {
  // An empty variable counts as unset, as in `NAME= command` and many compose files.
  const set = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const parsed = envSchema.safeParse(set);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  const { proxies, problems: proxyProblems } = readProxyEnvironment(source);
  problems.push(...proxyProblems);
  if (set['DATABASE_URL'] !== undefined && set['ENCRYPTION_KEY'] === undefined) {
    problems.push('ENCRYPTION_KEY is required with DATABASE_URL: openssl rand -base64 32');
  }
  if (!parsed.success || problems.length > 0)
    throw new Error(`The environment is invalid:\n  ${problems.join('\n  ')}`);
  return { ...parsed.data, proxies };
}
