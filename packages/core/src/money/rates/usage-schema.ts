import { z } from 'zod';
import type { TokenUsage, UsageExtras } from '../money.ts';
import { SERVER_TOOLS, type RateTerms, type ServedTerms } from './rate-need.ts';

const count = z.int().min(0).max(2_147_483_647);
const term = z.string().nullable();

/** Typed so that a missing member does not compile: it would be lost in storage. */
const units = {
  audioInputTokens: count.optional(),
  audioOutputTokens: count.optional(),
  imageInputTokens: count.optional(),
  imageOutputTokens: count.optional(),
  toolCalls: z.partialRecord(z.enum(SERVER_TOOLS), count).optional(),
} satisfies Record<Exclude<keyof UsageExtras, 'iterations'>, z.ZodType>;
const unitsSchema = z.object(units);

/** Usage of an additional request. Its extras have no iterations, because providers do not nest them. */
const iterationUsageSchema: z.ZodType<TokenUsage> = z.object({
  inputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  cacheWrite1hTokens: count,
  outputTokens: count,
  extras: unitsSchema.optional(),
});

/** Billed units other than standard tokens, as stored with a request. */
export const usageExtrasSchema: z.ZodType<UsageExtras> = unitsSchema.extend({
  iterations: z
    .array(
      z.object({ model: z.string().nullable(), usage: iterationUsageSchema, priceId: z.int().optional() }),
    )
    .optional(),
});

/** Terms of a bill, as stored with a request. */
export const rateTermsSchema: z.ZodType<RateTerms> = z.object({
  serviceTier: term,
  speed: term,
  inferenceGeo: term,
});

/** Terms reported by a provider, as stored with a request. */
export const servedTermsSchema: z.ZodType<ServedTerms> = z.object({
  model: term,
  serviceTier: term,
  speed: term,
  inferenceGeo: term,
});
