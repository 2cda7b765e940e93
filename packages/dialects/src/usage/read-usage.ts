import type { TokenUsage } from '@tollgate/core/money';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { CountReader } from './read-count.ts';
import { readIterations } from './read-iterations.ts';
import { readToolCalls } from './read-tool-calls.ts';
import type { UsageReport } from './usage-report.ts';

/**
 * Reads a usage object of any dialect by the names of its members, since providers mix them. OpenAI, Gemini and their
 * imitators count cached input inside the prompt; Anthropic (`input_tokens` beside `cache_read_input_tokens`) and
 * Bedrock (`inputTokens` beside `cacheReadInputTokens`) count it apart.
 * @param known what an earlier event of the same stream reported: later counts replace earlier ones, members that are
 *   missing, null or fall back to 0 do not (https://docs.claude.com/en/docs/build-with-claude/streaming)
 */
export function readUsage(given: JsonObject, known: UsageReport | null = null): UsageReport {
  const raw = known === null ? given : mergeUsage(known.raw, given);
  const counts = new CountReader();
  const read = readPrompt(raw, counts);
  const written = readCompletion(raw, counts, read);
  const inDetails = asObject(raw['prompt_tokens_details']) ?? asObject(raw['input_tokens_details']);
  const outDetails = asObject(raw['completion_tokens_details']) ?? asObject(raw['output_tokens_details']);
  const audioInputTokens = Math.min(counts.read(inDetails?.['audio_tokens']) ?? 0, read.inputTokens);
  const imageInputTokens = Math.min(
    counts.read(inDetails?.['image_tokens']) ?? 0,
    read.inputTokens - audioInputTokens,
  );
  const audioOutputTokens = Math.min(counts.read(outDetails?.['audio_tokens']) ?? 0, written ?? 0);
  const imageOutputTokens = Math.min(
    counts.read(outDetails?.['image_tokens']) ?? 0,
    (written ?? 0) - audioOutputTokens,
  );
  const toolCalls = readToolCalls(raw, counts);
  const more = readIterations(raw, readUsage);
  const extras = {
    ...(audioInputTokens > 0 && { audioInputTokens }),
    ...(imageInputTokens > 0 && { imageInputTokens }),
    ...(audioOutputTokens > 0 && { audioOutputTokens }),
    ...(imageOutputTokens > 0 && { imageOutputTokens }),
    ...(toolCalls !== null && { toolCalls }),
    ...(more.iterations.length > 0 && { iterations: more.iterations }),
  };
  const usage: TokenUsage = {
    inputTokens: read.inputTokens - audioInputTokens - imageInputTokens + more.plain.inputTokens,
    cacheReadTokens: read.cacheReadTokens + more.plain.cacheReadTokens,
    cacheWriteTokens: read.cacheWriteTokens + more.plain.cacheWriteTokens,
    cacheWrite1hTokens: read.cacheWrite1hTokens + more.plain.cacheWrite1hTokens,
    outputTokens: (written ?? 0) - audioOutputTokens - imageOutputTokens + more.plain.outputTokens,
    ...(Object.keys(extras).length > 0 && { extras }),
  };
  return {
    usage,
    reasoningTokens: new CountReader().read(
      outDetails?.['reasoning_tokens'],
      outDetails?.['thinking_tokens'],
      raw['reasoning_tokens'],
      raw['reasoningTokens'],
      raw['thoughtsTokenCount'],
    ),
    hasInput: read.isTold,
    hasOutput: written !== null,
    isExact: counts.isExact && more.isExact,
    raw,
  };
}

interface ReadInput extends Omit<TokenUsage, 'outputTokens' | 'extras'> {
  isTold: boolean;
  /** All of it, as `total_tokens` counts it; null: cached input is counted apart from it. */
  promptTokens: number | null;
}

function readPrompt(raw: JsonObject, counts: CountReader): ReadInput {
  const details = asObject(raw['prompt_tokens_details']) ?? asObject(raw['input_tokens_details']);
  const cacheRead = counts.read(
    details?.['cached_tokens'],
    raw['prompt_cache_hit_tokens'],
    raw['cached_tokens'],
    raw['cache_read_input_tokens'],
    raw['cacheReadInputTokens'],
    raw['cachedInputTokens'],
    raw['cachedContentTokenCount'],
  );
  const byTtl = asObject(raw['cache_creation']);
  const oneHour = counts.read(byTtl?.['ephemeral_1h_input_tokens']) ?? 0;
  const fiveMinutes = counts.read(byTtl?.['ephemeral_5m_input_tokens']) ?? 0;
  const cacheWrite = counts.read(
    details?.['cache_write_tokens'],
    raw['cache_creation_input_tokens'],
    raw['cacheWriteInputTokens'],
    raw['cacheCreationInputTokens'],
  );
  const written = cacheWrite ?? oneHour + fiveMinutes;
  const prompt = counts.read(raw['prompt_tokens'], raw['promptTokens'], raw['promptTokenCount']);
  const input = prompt === null ? counts.read(raw['input_tokens'], raw['inputTokens']) : null;
  const isApart =
    prompt === null &&
    ['cache_read_input_tokens', 'cache_creation_input_tokens', 'cache_creation', 'cacheReadInputTokens'].some(
      (name) => raw[name] !== undefined && raw[name] !== null,
    );
  if (isApart) {
    const cacheWrite1hTokens = Math.min(oneHour, written);
    return {
      inputTokens: input ?? 0,
      cacheReadTokens: cacheRead ?? 0,
      cacheWriteTokens: written - cacheWrite1hTokens,
      cacheWrite1hTokens,
      isTold: input !== null || (cacheRead ?? 0) > 0 || written > 0,
      promptTokens: null,
    };
  }
  const all = prompt ?? input;
  const cacheReadTokens = Math.min(cacheRead ?? 0, all ?? 0);
  const cacheWriteTokens = Math.min(written, (all ?? 0) - cacheReadTokens);
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

/** xAI and Gemini leave reasoning out of the completion and count it in the total. @returns null: not reported */
function readCompletion(raw: JsonObject, counts: CountReader, read: ReadInput): number | null {
  const completion = counts.read(
    raw['completion_tokens'],
    raw['output_tokens'],
    raw['completionTokens'],
    raw['outputTokens'],
    raw['candidatesTokenCount'],
  );
  const total = counts.read(raw['total_tokens'], raw['totalTokens'], raw['totalTokenCount']);
  if (total === null || read.promptTokens === null) return completion;
  const beyondPrompt = total - read.promptTokens;
  if (completion === null) return beyondPrompt >= 0 && total > 0 ? beyondPrompt : null;
  return Math.max(completion, beyondPrompt);
}

function mergeUsage(known: JsonObject, given: JsonObject): JsonObject {
  const merged: JsonObject = { ...known };
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    if (value === 0 && typeof known[name] === 'number') continue;
    merged[name] = value;
  }
  return merged;
}
