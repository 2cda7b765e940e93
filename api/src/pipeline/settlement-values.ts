import { allInputTokensOf, allOutputTokensOf, type NanoUsd, type TokenUsage } from '@tollgate/core/money';

const MAX_NAME_LENGTH = 200;

/** A name as a caller sent it, made fit for a text column: short, no NUL, no half of a surrogate pair. */
export function storableName(name: string): string {
  const short = name.length > MAX_NAME_LENGTH ? name.slice(0, MAX_NAME_LENGTH) : name;
  return (short.includes('\0') ? short.replaceAll('\0', '\ufffd') : short).toWellFormed();
}

export function totalTokens(usage: TokenUsage): number {
  return allInputTokensOf(usage) + allOutputTokensOf(usage);
}

/** @returns null if all that was used has a price */
export function joinMismatch(served: string | null, missing: readonly string[] = []): string | null {
  const all = served === null ? missing : [served, ...missing];
  return all.length === 0 ? null : all.join(', ');
}

/** @param maxNanoUsd null: no cap */
export function capAt(amount: NanoUsd, maxNanoUsd: NanoUsd | null): NanoUsd {
  return maxNanoUsd !== null && amount > maxNanoUsd ? maxNanoUsd : amount;
}
