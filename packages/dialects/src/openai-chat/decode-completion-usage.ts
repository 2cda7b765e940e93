import type { CompletionUsage } from '@tollgate/core/completion/response';
import { asCount, asObject, type JsonObject } from '../json/parse-object.ts';
import { decodeOpenAiUsage, findOpenAiUsage } from './decode-usage.ts';

/** Reads `usage` with the details that answers show. */
export function decodeOpenAiCompletionUsage(body: JsonObject): CompletionUsage | null {
  const usage = decodeOpenAiUsage(body);
  if (usage === null) return null;
  const told = findOpenAiUsage(body);
  const reasoning =
    asObject(told?.['completion_tokens_details'])?.['reasoning_tokens'] ?? told?.['reasoning_tokens'];
  return {
    ...usage,
    reasoningTokens: typeof reasoning === 'number' ? asCount(reasoning) : null,
  };
}
