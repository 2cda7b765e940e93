import { TokenizerThread } from './tokenizer-thread.ts';

/** Longer text is counted in samples that lie evenly over it: time and memory of a count are bounded. */
const MAX_COUNTED_CHARACTERS = 256 * 1024;
const SAMPLE_CHARACTERS = 4 * 1024;

/** The one thread of the process. What may wait takes it some five seconds. */
const thread = new TokenizerThread({ maxWaitingCharacters: 16 * 1024 * 1024, timeLimitMs: 10_000 });

/**
 * Counts the tokens of texts in OpenAI's o200k_base, which is exact for its models from GPT-4o on. The first call starts a
 * thread, in which the tokenizer is loaded (half a second, 80 MB); the caller's own thread goes on meanwhile.
 * @returns tokens; of more than 256 Ki characters an extrapolation
 * @throws TokenizerUnavailable where so much is being counted that it would take too long
 */
export async function countTextTokens(texts: readonly string[]): Promise<number> {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  if (characters === 0) return 0;
  if (characters <= MAX_COUNTED_CHARACTERS) return thread.count(texts);
  const samples = sampleOf(texts.join('\n'));
  const counted = samples.reduce((sum, sample) => sum + sample.length, 0);
  return Math.ceil(((await thread.count(samples)) / counted) * characters);
}

/** Ends the thread, where there is one. A later count starts another. */
export function closeTokenizer(): Promise<void> {
  return thread.close();
}

function sampleOf(text: string): string[] {
  const samples = MAX_COUNTED_CHARACTERS / SAMPLE_CHARACTERS;
  const stride = text.length / samples;
  return Array.from({ length: samples }, (_, index) => {
    const start = Math.floor(index * stride);
    return text.slice(start, start + SAMPLE_CHARACTERS);
  });
}
