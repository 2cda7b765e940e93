import type { TokenUsage } from '@tollgate/core/money/money';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { APART, readNamed } from './prompt-counts.ts';
import type { CountReader } from './read-count.ts';

export interface ReadInput extends Omit<TokenUsage, 'outputTokens' | 'extras'> {
  /** False: it was not reported, or so that it cannot be true. */
  isTold: boolean;
  /** The whole prompt, as `total_tokens` counts it; null: cached input is counted separately. */
  promptTokens: number | null;
}

/**
 * Reads the input of a usage object. Counts that contradict each other are not exact: the most expensive reading is taken.
 * @param given what the last event reported; `raw` has what earlier events did as well
 */
export function readPrompt(raw: JsonObject, counts: CountReader, given: JsonObject): ReadInput {
  const cacheRead = readNamed(raw, counts, 'cacheRead');
  const writes = readCacheWrites(raw, counts, given);
  const prompt = readNamed(raw, counts, 'prompt');
  const input = readNamed(raw, counts, 'input');
  const isApart = prompt === null && APART.some((name) => raw[name] !== undefined && raw[name] !== null);
  if (isApart)
    return {
      inputTokens: input ?? 0,
      cacheReadTokens: cacheRead ?? 0,
      ...writes,
      isTold:
        input !== null || (cacheRead ?? 0) > 0 || writes.cacheWriteTokens + writes.cacheWrite1hTokens > 0,
      promptTokens: null,
    };
  const cached = (cacheRead ?? 0) + writes.cacheWriteTokens + writes.cacheWrite1hTokens;
  const all = readWholePrompt(raw, counts, { prompt, input, cached });
  if (all !== null && cached > all) {
    // A part cannot be larger than the whole: nothing is billed as cached.
    counts.noteContradiction();
    const none = { cacheReadTokens: 0, cacheWriteTokens: 0, cacheWrite1hTokens: 0 };
    return { inputTokens: all, ...none, isTold: false, promptTokens: all };
  }
  const cacheReadTokens = Math.min(cacheRead ?? 0, all ?? 0);
  const cacheWriteTokens = Math.min(cached - (cacheRead ?? 0), (all ?? 0) - cacheReadTokens);
  return {
    inputTokens: (all ?? 0) - cacheReadTokens - cacheWriteTokens,
    cacheReadTokens,
    cacheWriteTokens,
    // Only Anthropic reports how long an entry is kept.
    cacheWrite1hTokens: 0,
    isTold: all !== null,
    promptTokens: all,
  };
}

/** All input, cached input included, if several members report it. @returns null if none does */
function readWholePrompt(
  raw: JsonObject,
  counts: CountReader,
  { prompt, input, cached }: { prompt: number | null; input: number | null; cached: number },
): number | null {
  const hit = counts.read(raw['prompt_cache_hit_tokens']);
  const miss = counts.read(raw['prompt_cache_miss_tokens']);
  // DeepSeek counts both parts: https://api-docs.deepseek.com/guides/kv_cache
  const parts = hit !== null && miss !== null ? hit + miss : null;
  const reported = [prompt, input, parts].filter((count): count is number => count !== null && count > 0);
  const all = reported.length === 0 ? (prompt ?? input) : Math.max(...reported);
  // Some count input without what is cached under one name, and with it under the other.
  if (reported.some((count) => count !== all && count + cached !== all)) counts.noteContradiction();
  return all;
}

/** Anthropic reports the sum, and its parts by how long an entry is kept; the end of a stream has only the sum. */
function readCacheWrites(
  raw: JsonObject,
  counts: CountReader,
  given: JsonObject,
): Pick<TokenUsage, 'cacheWriteTokens' | 'cacheWrite1hTokens'> {
  const sum = readNamed(raw, counts, 'cacheWrite');
  const byTtl = asObject(raw['cache_creation']);
  const oneHour = counts.read(byTtl?.['ephemeral_1h_input_tokens']) ?? 0;
  const fiveMinutes = counts.read(byTtl?.['ephemeral_5m_input_tokens']) ?? 0;
  const parts = oneHour + fiveMinutes;
  if (sum === null || sum === parts) return { cacheWriteTokens: fiveMinutes, cacheWrite1hTokens: oneHour };
  const isOneEvent = 'cache_creation' in given && 'cache_creation_input_tokens' in given;
  const rest = Math.max(0, sum - parts);
  const isMixed = oneHour > 0 && fiveMinutes > 0 && rest > 0;
  if (parts > sum || isMixed || (isOneEvent && byTtl !== null)) counts.noteContradiction();
  // Tokens of unknown lifetime count as the known ones; of two lifetimes, as the more expensive one.
  return oneHour > 0
    ? { cacheWriteTokens: fiveMinutes, cacheWrite1hTokens: oneHour + rest }
    : { cacheWriteTokens: fiveMinutes + rest, cacheWrite1hTokens: 0 };
}
