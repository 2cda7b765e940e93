import { asObject, type JsonObject } from '../json/parse-object.ts';
import { MAX_COUNT } from './read-count.ts';
import type { UsageReport } from './usage-report.ts';

/** Members of the details of the output with its reasoning. */
const REASONING: ReadonlySet<string> = new Set(['reasoning_tokens', 'thinking_tokens']);

/**
 * Reads a usage object that has the three counts of the Chat dialect, of which the third one is their sum, and perhaps details that
 * are all 0, as most have. It is read like any other, in a tenth of the time.
 * @returns null if the object is any other
 */
export function readPlainUsage(raw: JsonObject): UsageReport | null {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = raw;
  if (!isCount(prompt) || !isCount(completion) || total !== prompt + completion || total > MAX_COUNT)
    return null;
  let reasoningTokens: number | null = null;
  for (const name in raw) {
    if (name === 'prompt_tokens' || name === 'completion_tokens' || name === 'total_tokens') continue;
    if (name !== 'prompt_tokens_details' && name !== 'completion_tokens_details') return null;
    const details = asObject(raw[name]);
    if (details === null) return null;
    for (const member in details) {
      if (details[member] !== 0) return null;
      if (name === 'completion_tokens_details' && REASONING.has(member)) reasoningTokens = 0;
    }
  }
  return {
    usage: {
      inputTokens: prompt,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      cacheWrite1hTokens: 0,
      outputTokens: completion,
    },
    reasoningTokens,
    hasInput: true,
    hasOutput: true,
    isExact: true,
    raw,
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
