/**
 * Characters of JSON per token, at most. Where the estimate is too high, the provider ignores a breakpoint, at no cost; where
 * it is too low, a prefix is not cached.
 */
const CHARACTERS_PER_TOKEN = 3;

interface TextSize {
  /**
   * Adds the texts of a JSON value.
   * @returns true if the sum reaches the number of tokens
   */
  add(value: unknown): boolean;
  /** True if this many characters reach it. */
  isReachedBy(length: number): boolean;
}

/** Adds up texts until they are certainly large enough, so that a long conversation is not read to its end. */
export function sizeText(tokens: number): TextSize {
  const enough = tokens * CHARACTERS_PER_TOKEN;
  let characters = 0;
  const add = (value: unknown): boolean => {
    if (characters >= enough) return true;
    if (typeof value === 'string') characters += value.length;
    else if (Array.isArray(value)) value.some(add);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        characters += name.length;
        if (add(member)) break;
      }
    }
    return characters >= enough;
  };
  return { add, isReachedBy: (length) => length >= enough };
}
