import { sampleTexts } from './sample-texts.ts';
import { TokenizerThread, TokenizerUnavailable, type CountFor } from './tokenizer-thread.ts';

/** An estimate counts longer text in samples that lie evenly over it: time and memory of a count are bounded. */
const MAX_ESTIMATED_CHARACTERS = 256 * 1024;
const SAMPLE_CHARACTERS = 4 * 1024;
/** An admission counts all of the text or nothing: a text can be written so that its samples look cheap. */
const MAX_ADMISSION_CHARACTERS = 1024 * 1024;
/** The estimate while the tokenizer cannot count. */
const CHARACTERS_PER_TOKEN = 4;

/** The one thread of the process. What it accepts takes it some ten seconds. */
const thread = new TokenizerThread({ maxWaitingCharacters: 16 * 1024 * 1024, timeLimitMs: 10_000 });

const ESTIMATE: CountFor = { owner: '', purpose: 'estimate' };

/**
 * Counts the tokens of texts in OpenAI's o200k_base, which is exact for its models from GPT-4o on. The first call starts a
 * thread, in which the tokenizer is loaded (half a second, 80 MB); the caller's own thread is not blocked.
 *
 * An estimate extrapolates from samples if the texts are longer than 256 Ki characters, and from their length while the
 * tokenizer has too much to do.
 * @returns tokens
 * @throws TokenizerUnavailable for an admission of more than 1 Mi characters, or while the tokenizer has too much to do
 */
export async function countTextTokens(texts: readonly string[], countFor = ESTIMATE): Promise<number> {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  if (characters === 0) return 0;
  if (countFor.purpose === 'admission') {
    if (characters > MAX_ADMISSION_CHARACTERS) throw new TokenizerUnavailable('the text is too long');
    return thread.count(texts, countFor);
  }
  try {
    return await estimateTextTokens(texts, characters, countFor);
  } catch (error) {
    if (!(error instanceof TokenizerUnavailable)) throw error;
    return Math.ceil(characters / CHARACTERS_PER_TOKEN);
  }
}

/** Ends the thread, if one is running. A later count starts another. */
export function closeTokenizer(): Promise<void> {
  return thread.close();
}

async function estimateTextTokens(
  texts: readonly string[],
  characters: number,
  countFor: CountFor,
): Promise<number> {
  if (characters <= MAX_ESTIMATED_CHARACTERS) return thread.count(texts, countFor);
  const samples = sampleTexts(texts, {
    characters,
    samples: MAX_ESTIMATED_CHARACTERS / SAMPLE_CHARACTERS,
    sampleCharacters: SAMPLE_CHARACTERS,
  });
  const counted = samples.reduce((sum, sample) => sum + sample.length, 0);
  return Math.ceil(((await thread.count(samples, countFor)) / counted) * characters);
}
