import { setImmediate as nextTurn } from 'node:timers/promises';
import { sliceText } from './slice-text.ts';

/** Longer text is counted in samples that lie evenly over it: time and memory of a count are bounded. */
const MAX_COUNTED_CHARACTERS = 256 * 1024;
const SAMPLE_CHARACTERS = 4 * 1024;
/** Others are served after so many characters: some 10 ms. */
const CHARACTERS_PER_TURN = 8 * 1024;

type CountTokens = (text: string) => number;
let loading: Promise<CountTokens> | null = null;

/**
 * Counts the tokens of texts in OpenAI's o200k_base, which is exact for its models from GPT-4o on. The tokenizer is loaded
 * at the first call (half a second, 80 MB).
 * @returns tokens; of more than 256 Ki characters an extrapolation
 */
export async function countTextTokens(texts: readonly string[]): Promise<number> {
  loading ??= loadTokenizer();
  const count = await loading;
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  const counted = characters <= MAX_COUNTED_CHARACTERS ? texts : sampleOf(texts.join('\n'));
  let tokens = 0;
  let seen = 0;
  let sinceTurn = 0;
  for (const text of counted) {
    for (const slice of sliceText(text)) {
      tokens += count(slice);
      seen += slice.length;
      sinceTurn += slice.length;
      if (sinceTurn < CHARACTERS_PER_TURN) continue;
      sinceTurn = 0;
      await nextTurn();
    }
  }
  return counted === texts ? tokens : Math.ceil((tokens / seen) * characters);
}

async function loadTokenizer(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // What looks like a special token is text: a caller cannot send the real ones.
  const asText = { disallowedSpecial: new Set<string>() };
  return (text) => countTokens(text, asText);
}

function sampleOf(text: string): string[] {
  const samples = MAX_COUNTED_CHARACTERS / SAMPLE_CHARACTERS;
  const stride = text.length / samples;
  return Array.from({ length: samples }, (_, index) => {
    const start = Math.floor(index * stride);
    return text.slice(start, start + SAMPLE_CHARACTERS);
  });
}
