import { inputTokensOf, outputTokensOf, type TokenUsage } from '@tollgate/core/money';

const MAX_NAME_LENGTH = 200;

/** A name as a caller sent it, made fit for a text column: short, no NUL, no half of a surrogate pair. */
export function storableName(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH).replaceAll('\u0000', '\ufffd').toWellFormed();
}

export function totalTokens(usage: TokenUsage): number {
  return inputTokensOf(usage) + outputTokensOf(usage);
}

/** @returns null if all that was used has a price */
export function joinMismatch(served: string | null, missing: readonly string[] = []): string | null {
  const all = served === null ? missing : [served, ...missing];
  return all.length === 0 ? null : all.join(', ');
}
