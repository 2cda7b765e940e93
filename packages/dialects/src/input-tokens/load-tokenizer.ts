/** @returns the tokens of a text; the time grows with the square of a run without a break: see `slice-text.ts` */
type CountTokens = (text: string) => number;

/** Loads OpenAI's o200k_base: half a second in which the thread does nothing else, and 80 MB. */
export async function loadTokenizer(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // Text that looks like a special token is text: a caller cannot send the real ones.
  const asText = { disallowedSpecial: new Set<string>() };
  return (text) => countTokens(text, asText);
}
