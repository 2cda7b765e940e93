/**
 * What the console asks the processes of the api over the database, and what each answers from its own memory. Releases
 * meet here: whoever cannot read what it is told passes over it.
 */
import { z } from 'zod';

const countSchema = z.number().min(0);
const limitSchema = z.int().min(1).nullable();
const idSchema = z.string().min(1).max(64);

/** Where somebody stands in one window; null: there is no such limit. As `WindowState` of the limits. */
const windowSchema = z
  .object({ limit: z.int().min(1), remaining: countSchema, resetMs: countSchema })
  .nullable();
const windowPairSchema = z.object({ requests: windowSchema, tokens: windowSchema });
const limitPairSchema = z.object({ rpm: limitSchema, tpm: limitSchema });
/** Where limits are kept; degraded: Redis is away, and each process keeps them by itself. */
const keptBySchema = z.enum(['memory', 'redis', 'degraded']);

/** `windows` names whose: the limits are asked along, so that nobody has to look up the key. */
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
  key: windowPairSchema,
  account: windowPairSchema,
});

const breakerSchema = z.object({
  routeId: idSchema,
  /** What of the route it counts: its completions, or the counting of tokens. */
  counts: z.enum(['completions', 'token counts']),
  state: z.enum(['closed', 'open', 'half-open']),
  /** How long ago it opened first, or failed first where it is closed. */
  forMs: countSchema,
  /** How long it lets nothing pass; 0: the next call may go there. */
  retryInMs: countSchema,
  /** In a row. */
  failures: z.int().min(1),
  /** As attempts are recorded: `status_503`, `timeout`. */
  lastError: z.string().max(40),
  lastFailureAgoMs: countSchema,
  /** Accounts that the route is closed for; null: every account. */
  blockedAccounts: z.int().min(0).nullable().default(null),
});

const replicaAnswerSchema = z.object({
  about: z.literal('replica'),
  /** Of the product. */
  version: z.string().max(40),
  isDraining: z.boolean(),
  /** Completions under way. */
  inFlight: z.int().min(0),
  limits: keptBySchema,
  ledger: z.object({
    isWritable: z.boolean(),
    /** That wait for their transaction. */
    holds: z.int().min(0),
    settlements: z.int().min(0),
    spooledBytes: z.int().min(0),
    isSpoolFull: z.boolean(),
  }),
  /** Of routes that have failed; those that work have none. */
  breakers: z.array(breakerSchema),
  /** More of them, which found no room in the message. */
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

/** @returns null where it is none that this release knows */
export function parseAsk(text: string): Ask | null {
  return askSchema.safeParse(parseJson(text)).data ?? null;
}

/** @returns null where it is none that this release knows */
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
