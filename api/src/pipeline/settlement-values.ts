import { getAllInputTokens, getAllOutputTokens, type TokenUsage } from '@tollgate/core/money/money';

export function totalTokens(usage: TokenUsage): number {
  return getAllInputTokens(usage) + getAllOutputTokens(usage);
}

/** @returns null if all usage has a price */
export function joinMismatch(served: string | null, missing: readonly string[] = []): string | null {
  const all = served === null ? missing : [served, ...missing];
  return all.length === 0 ? null : all.join(', ');
}
