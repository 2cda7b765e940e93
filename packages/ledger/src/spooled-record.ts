import type { RequestRecord } from '@tollgate/core/ledger';
import { FULL_PRICE_PPM } from '@tollgate/core/money';
import { rateTermsSchema, servedTermsSchema, usageExtrasSchema } from '@tollgate/core/rates/usage-schema';
import { z } from 'zod';

const wholeNumber = z.int().min(0).max(2_147_483_647);
const count = wholeNumber.catch(0);
const amount = z
  .string()
  .regex(/^\d{1,19}$/)
  .transform(BigInt);
/** What only describes is left out where it cannot be read; what moves money must be there. */
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
});

/** A settlement as a line of JSON, without its end. Amounts are written as text. */
export function encodeRecord(record: RequestRecord): string {
  const { costNanoUsd, operatorCostNanoUsd, reportedCostNanoUsd } = record;
  // Every request is written once: a replacer function would take twice as long.
  return JSON.stringify({
    ...record,
    costNanoUsd: String(costNanoUsd),
    operatorCostNanoUsd: String(operatorCostNanoUsd),
    reportedCostNanoUsd:
      typeof reportedCostNanoUsd === 'bigint' ? String(reportedCostNanoUsd) : reportedCostNanoUsd,
  });
}

/** @returns null where the line is no settlement */
export function decodeRecord(line: string): RequestRecord | null {
  try {
    const parsed = recordSchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
