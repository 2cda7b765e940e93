import { getInputTokens } from '@tollgate/core/money/money';
import type { JsonObject } from '../json/parse-object.ts';
import { findUsage } from '../usage/find-usage.ts';
import { readUsage } from '../usage/read-usage.ts';
import type { UsageReport } from '../usage/usage-report.ts';

/**
 * Reads the usage of embeddings: only input, whatever a provider calls it.
 * @returns null if the provider reported none, or zero: no input is empty
 */
export function decodeOpenAiEmbeddingsUsage(body: JsonObject): UsageReport | null {
  const raw = findUsage(body);
  if (raw === null) return null;
  const report = readUsage(raw);
  const hasPrompt = getInputTokens(report.usage) > 0;
  // Some report nothing but a total.
  const read = hasPrompt ? report : { ...readUsage({ prompt_tokens: raw['total_tokens'] }), raw };
  if (getInputTokens(read.usage) === 0) return null;
  return { ...read, usage: { ...read.usage, outputTokens: 0 }, hasOutput: true };
}
