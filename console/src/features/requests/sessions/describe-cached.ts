/** The share of the input that was read from a cache: `74%`. @returns null: no input */
export function describeCached(usage: { inputTokens: number; cacheReadTokens: number }): string | null {
  const { inputTokens, cacheReadTokens } = usage;
  return inputTokens === 0 ? null : `${Math.floor((cacheReadTokens * 100) / inputTokens)}%`;
}
