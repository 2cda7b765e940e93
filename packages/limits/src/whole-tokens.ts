/** Maximum tokens per request, so that sums stay exact. */
const MOST_TOKENS = 1e12;

/** Converts a token count to a bounded non-negative integer; 0 if it is not a number. */
export function wholeTokens(tokens: number): number {
  return tokens > 0 ? Math.min(Math.ceil(tokens), MOST_TOKENS) : 0;
}
