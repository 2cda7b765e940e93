import type { RequestRecord } from '@tollgate/core/ledger';
import { z } from 'zod';

const count = z.int().min(0).max(2_147_483_647);
const amount = z
  .string()
  .regex(/^\d{1,19}$/)
  .transform(BigInt);
const text = z.string().nullable();

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
    .nullable(),
  streamed: z.boolean(),
  status: z.int(),
  errorCode: text,
  inputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  cacheWrite1hTokens: count,
  outputTokens: count,
  estimated: z.boolean(),
  priceId: z.number().nullable(),
  pricePpm: z.int(),
  costNanoUsd: amount,
  operatorCostNanoUsd: amount,
  latencyMs: count,
  firstByteMs: count.nullable(),
  isHeld: z.boolean(),
  recovered: z.boolean(),
});

/** A settlement as a line of JSON, without its end. */
export function encodeRecord(record: RequestRecord): string {
  return JSON.stringify(record, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
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
