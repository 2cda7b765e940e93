/**
 * Queries from the console to API replicas over the database, and their replies from memory. Replicas may run
 * different releases, so unknown messages are ignored.
 */
import { z } from 'zod';

const countSchema = z.number().min(0);
const limitSchema = z.int().min(1).nullable();
const idSchema = z.string().min(1).max(64);

/** State of one rate-limit window, like `WindowState` in packages/limits; null: no limit. */
const windowSchema = z
  .object({ limit: z.int().min(1), remaining: countSchema, resetMs: countSchema })
  .nullable();
const windowPairSchema = z.object({ requests: windowSchema, tokens: windowSchema });
const limitPairSchema = z.object({ rpm: limitSchema, tpm: limitSchema });
/** Storage of limits; degraded: Redis is unavailable, and each replica keeps its own. */
const keptBySchema = z.enum(['memory', 'redis', 'degraded']);
/** Workers of one api share their windows: all but one of them set this, so that the windows are counted once. */
const isCountedElsewhereSchema = z.boolean().optional();
/**
 * The supervisor of the workers does not respond, so requests with limits are refused. The limits are reported as degraded
 * then, because consoles of earlier releases know no more.
 */
const isRefusingSchema = z.boolean().optional();

/** `windows` includes the limits, so that replicas need not look up the key. */
const questionSchema = z.discriminatedUnion('about', [
  z.object({
    about: z.literal('windows'),
    accountId: idSchema,
    keyId: idSchema,
    key: limitPairSchema,
    account: limitPairSchema,
  }),
  z.object({ about: z.literal('replica') }),
]);

const windowsAnswerSchema = z.object({
  about: z.literal('windows'),
  keptBy: keptBySchema,
  isCountedElsewhere: isCountedElsewhereSchema,
  key: windowPairSchema,
  account: windowPairSchema,
});

const breakerSchema = z.object({
  routeId: idSchema,
  /** The credential that fails; null: the first one of the provider. */
  credentialId: idSchema.nullable().default(null),
  /** Requests that the breaker counts: completions or token counts. */
  counts: z.enum(['completions', 'token counts']),
  state: z.enum(['closed', 'open', 'half-open']),
  /** Time since it first opened or, if closed, first failed. */
  forMs: countSchema,
  /** Time until it allows a request; 0: the next request is allowed. */
  retryInMs: countSchema,
  /** Consecutive failures. */
  failures: z.int().min(1),
  /** Outcome as in attempt records: `status_503`, `timeout`. */
  lastError: z.string().max(40),
  lastFailureAgoMs: countSchema,
  /** Number of accounts that cannot use the route; null: all accounts. */
  blockedAccounts: z.int().min(0).nullable().default(null),
});

const replicaAnswerSchema = z.object({
  about: z.literal('replica'),
  /** Tollgate release. */
  version: z.string().max(40),
  isDraining: z.boolean(),
  /** In-flight completions. */
  inFlight: z.int().min(0),
  limits: keptBySchema,
  isCountedElsewhere: isCountedElsewhereSchema,
  isRefusing: isRefusingSchema,
  ledger: z.object({
    isWritable: z.boolean(),
    /** Waiting for their transaction. */
    holds: z.int().min(0),
    settlements: z.int().min(0),
    spooledBytes: z.int().min(0),
    isSpoolFull: z.boolean(),
  }),
  /** Only routes with failures. */
  breakers: z.array(breakerSchema),
  /** Number of routes omitted from the message. */
  breakersLeftOut: z.int().min(0),
});

const askSchema = z.object({ id: idSchema, question: questionSchema });
const replySchema = z.object({
  askId: idSchema,
  replicaId: idSchema,
  answer: z.discriminatedUnion('about', [windowsAnswerSchema, replicaAnswerSchema]),
});

export type Question = z.infer<typeof questionSchema>;
export type Breaker = z.infer<typeof breakerSchema>;
export type WindowsAnswer = z.infer<typeof windowsAnswerSchema>;
export type ReplicaAnswer = z.infer<typeof replicaAnswerSchema>;
export type Ask = z.infer<typeof askSchema>;
export type Reply = z.infer<typeof replySchema>;

/** @returns null if this release does not know the message */
export function parseAsk(text: string): Ask | null {
  return askSchema.safeParse(parseJson(text)).data ?? null;
}

/** @returns null if this release does not know the message */
export function parseReply(text: string): Reply | null {
  return replySchema.safeParse(parseJson(text)).data ?? null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
