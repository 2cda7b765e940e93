import { ATTEMPT_NEXTS, ATTEMPT_STOPS, type RequestRecord } from '@tollgate/core/money/ledger';
import { FULL_PRICE_PPM } from '@tollgate/core/money/money';
import {
  rateTermsSchema,
  servedTermsSchema,
  usageExtrasSchema,
} from '@tollgate/core/money/rates/usage-schema';
import { z } from 'zod';

const wholeNumber = z.int().min(0).max(2_147_483_647);
const count = wholeNumber.catch(0);
const amount = z
  .string()
  .regex(/^\d{1,19}$/)
  .transform(BigInt);
/** Descriptive members are dropped if unreadable; members that affect money are required. */
const text = z.string().nullable().catch(null);
const time = wholeNumber.nullable().catch(null);
const flag = z.boolean().catch(false);

const recordSchema: z.ZodType<RequestRecord> = z.object({
  id: z.string(),
  startedAtMs: z.number(),
  accountId: z.string(),
  keyId: z.string(),
  endpoint: z.string(),
  model: text,
  provider: text,
  upstreamModel: text,
  routeId: text,
  attempts: z
    .array(
      z.object({
        route: z.string(),
        provider: z.string(),
        upstreamModel: z.string(),
        outcome: z.string(),
        status: z.number().nullable(),
        durationMs: z.number(),
        credential: z.string().exactOptional(),
        own: z.boolean().exactOptional(),
        message: z.string().exactOptional(),
        model: z.string().exactOptional(),
        waitMs: z.number().exactOptional(),
        detail: z.string().exactOptional(),
        errorType: z.string().exactOptional(),
        errorMessage: z.string().exactOptional(),
        requestId: z.string().exactOptional(),
        next: z.enum(ATTEMPT_NEXTS).exactOptional(),
        why: z.enum(ATTEMPT_STOPS).exactOptional(),
      }),
    )
    .nullable()
    .catch(null),
  streamed: flag,
  status: z.int().catch(0),
  errorCode: text,
  inputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  cacheWrite1hTokens: count,
  outputTokens: count,
  estimated: flag,
  priceId: z.number().nullable().catch(null),
  pricePpm: z.int().catch(FULL_PRICE_PPM),
  costNanoUsd: amount,
  operatorCostNanoUsd: amount,
  latencyMs: count,
  firstByteMs: time,
  queueMs: time,
  holdMs: time,
  connectMs: time,
  isHeld: z.boolean(),
  recovered: z.boolean(),
  extras: usageExtrasSchema.optional().catch(undefined),
  rawUsage: text.optional(),
  reportedCostNanoUsd: amount.nullable().optional().catch(null),
  servedTerms: servedTermsSchema.nullable().optional().catch(null),
  billedTerms: rateTermsSchema.nullable().optional().catch(null),
  priceMismatch: text.optional(),
  client: text.optional(),
  sessionHash: z.number().nullable().optional().catch(null),
  routeChoice: text.optional(),
  requestedModel: text.optional(),
  ownCredential: z.boolean().optional().catch(false),
  errorMessage: text.optional(),
  errorParam: text.optional(),
  session: text.optional(),
  providerRequestId: text.optional(),
});

/** Position of each member in a line. Append only: lines of earlier releases use the same positions. */
const MEMBERS = [
  'id',
  'startedAtMs',
  'accountId',
  'keyId',
  'endpoint',
  'model',
  'provider',
  'upstreamModel',
  'routeId',
  'attempts',
  'streamed',
  'status',
  'errorCode',
  'inputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'cacheWrite1hTokens',
  'outputTokens',
  'estimated',
  'priceId',
  'pricePpm',
  'costNanoUsd',
  'operatorCostNanoUsd',
  'latencyMs',
  'firstByteMs',
  'queueMs',
  'holdMs',
  'connectMs',
  'isHeld',
  'recovered',
  'extras',
  'rawUsage',
  'reportedCostNanoUsd',
  'servedTerms',
  'billedTerms',
  'priceMismatch',
  'client',
  'sessionHash',
  'routeChoice',
  'requestedModel',
  'ownCredential',
  'errorMessage',
  'errorParam',
  'session',
  'providerRequestId',
] as const satisfies readonly (keyof RequestRecord)[];

type Missing = Exclude<keyof RequestRecord, (typeof MEMBERS)[number]>;
/** Fails to compile if a member is missing from MEMBERS, because a crash would lose it. */
const NOTHING_MISSING: [Missing] extends [never] ? true : Missing = true;
void NOTHING_MISSING;

/**
 * Formats a settlement as a JSON array in the order of MEMBERS, without a line feed. Amounts are
 * strings. An array, because member names would double time and size.
 */
export function encodeRecord(record: RequestRecord): string {
  return JSON.stringify([
    record.id,
    record.startedAtMs,
    record.accountId,
    record.keyId,
    record.endpoint,
    record.model,
    record.provider,
    record.upstreamModel,
    record.routeId,
    record.attempts,
    record.streamed,
    record.status,
    record.errorCode,
    record.inputTokens,
    record.cacheReadTokens,
    record.cacheWriteTokens,
    record.cacheWrite1hTokens,
    record.outputTokens,
    record.estimated,
    record.priceId,
    record.pricePpm,
    String(record.costNanoUsd),
    String(record.operatorCostNanoUsd),
    record.latencyMs,
    record.firstByteMs,
    record.queueMs,
    record.holdMs,
    record.connectMs,
    record.isHeld,
    record.recovered,
    record.extras,
    record.rawUsage,
    record.reportedCostNanoUsd?.toString(),
    record.servedTerms,
    record.billedTerms,
    record.priceMismatch,
    record.client,
    record.sessionHash,
    record.routeChoice,
    record.requestedModel,
    record.ownCredential,
    record.errorMessage,
    record.errorParam,
    record.session,
    record.providerRequestId,
  ]);
}

/** @returns null if the line is not a settlement */
export function decodeRecord(line: string): RequestRecord | null {
  try {
    const parsed = recordSchema.safeParse(nameMembers(JSON.parse(line)));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The first optional member; for these, null and absent mean the same. */
const FIRST_OPTIONAL = MEMBERS.indexOf('extras');

/** Format of earlier releases: an object. */
function nameMembers(line: unknown): unknown {
  if (!Array.isArray(line)) return line;
  const values: unknown[] = line;
  const named = MEMBERS.map((name, at) => [name, values[at]] as const);
  return Object.fromEntries(named.filter(([, value], at) => at < FIRST_OPTIONAL || (value ?? null) !== null));
}
