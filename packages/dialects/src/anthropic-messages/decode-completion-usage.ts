import type { CompletionUsage } from '@tollgate/core/completion/response';
import { asCount, asObject, type JsonObject } from '../json/parse-object.ts';
import { decodeAnthropicUsage } from './decode-usage.ts';

/** Reads `usage` with its details, laid over what an earlier event of the stream told. */
export function decodeCompletionUsage(usage: JsonObject, known: CompletionUsage | null): CompletionUsage {
  const detail = (container: unknown, name: string, before: number | null) => {
    const value = asObject(container)?.[name];
    return value === undefined || value === null ? before : asCount(value);
  };
  return {
    ...decodeAnthropicUsage(usage, known ?? undefined),
    reasoningTokens: detail(
      usage['output_tokens_details'],
      'thinking_tokens',
      known?.reasoningTokens ?? null,
    ),
  };
}
