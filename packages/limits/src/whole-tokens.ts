/** No request counts for more: sums of the windows stay exact. */
const MOST_TOKENS = 1e12;

/** A count of tokens as windows take it: whole, not negative, bounded; nothing where it is no number. */
export function wholeTokens(tokens: number): number {
  return tokens > 0 ? Math.min(Math.ceil(tokens), MOST_TOKENS) : 0;
}
