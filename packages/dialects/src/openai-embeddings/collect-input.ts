export interface EmbeddingsInput {
  texts: readonly string[];
  /** Of inputs that are tokens already. */
  tokens: number;
}

/** Takes the `input` of a checked request apart: a text, a list of texts, tokens, or lists of them. */
export function collectEmbeddingsInput(input: unknown): EmbeddingsInput {
  const texts: string[] = [];
  let tokens = 0;
  const collect = (each: unknown): void => {
    if (typeof each === 'string') texts.push(each);
    else if (Array.isArray(each)) each.forEach(collect);
    else tokens += 1;
  };
  collect(input);
  return { texts, tokens };
}
