import type { TokenUsage, UsageExtras } from '@tollgate/core/money/money';
import type { RateTerms } from '@tollgate/core/money/rates/rate-need';
import { rateTermsSchema, usageExtrasSchema } from '@tollgate/core/money/rates/usage-schema';
import type { requests } from '../../schema/requests.ts';

export type BilledRow = Pick<
  typeof requests.$inferSelect,
  | 'inputTokens'
  | 'cacheReadTokens'
  | 'cacheWriteTokens'
  | 'cacheWrite1hTokens'
  | 'outputTokens'
  | 'usageExtras'
  | 'billedTerms'
>;

/** The usage that a stored request was billed for. */
export interface BilledUsage {
  usage: TokenUsage;
  terms: RateTerms | null;
  /** False: a part cannot be read, so the cost cannot be recomputed. */
  isReadable: boolean;
}

export function readBilledUsage(row: BilledRow): BilledUsage {
  const extras = read<UsageExtras>(usageExtrasSchema, row.usageExtras);
  const terms = read<RateTerms>(rateTermsSchema, row.billedTerms);
  const { inputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens, outputTokens } = row;
  return {
    usage: {
      inputTokens,
      cacheReadTokens,
      cacheWriteTokens,
      cacheWrite1hTokens,
      outputTokens,
      ...(extras.value !== null && { extras: extras.value }),
    },
    terms: terms.value,
    isReadable: extras.ok && terms.ok,
  };
}

function read<T>(
  schema: { safeParse(value: unknown): { success: true; data: T } | { success: false } },
  stored: unknown,
): { ok: boolean; value: T | null } {
  if (stored === null) return { ok: true, value: null };
  const parsed = schema.safeParse(stored);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, value: null };
}
