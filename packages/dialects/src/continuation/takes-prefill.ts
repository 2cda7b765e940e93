import type { Dialect } from '@tollgate/core/models/dialect';
import { findClaudeRules } from '../model-rules/find-model-rules.ts';

/** What decides whether a provider continues a message of the assistant that ends the conversation. */
export interface PrefillTarget {
  dialect: Dialect;
  upstreamModel: string;
  /** null: a custom server, which can be anything. */
  preset: string | null;
  baseUrl: string;
  /** The request sets reasoning. */
  reasons: boolean;
}

/**
 * - `plain`: it continues such a message
 * - `marked`: it continues one with `"prefix": true`, and may repeat it in the response
 */
export type Prefill = 'plain' | 'marked';

/**
 * Finds how a provider continues a message. Claude up to 4.5 does unless it thinks; later models refuse such a request
 * (https://platform.claude.com/docs/en/about-claude/models/migration-guide). Mistral
 * (https://docs.mistral.ai/api/endpoint/chat) and the beta address of DeepSeek
 * (https://api-docs.deepseek.com/guides/chat_prefix_completion) need a mark. Others answer the message, or refuse it.
 * @returns null if it does not
 */
export function findPrefill({
  dialect,
  upstreamModel,
  preset,
  baseUrl,
  reasons,
}: PrefillTarget): Prefill | null {
  if (reasons) return null;
  if (dialect === 'anthropic-messages') {
    const rules = findClaudeRules(upstreamModel);
    return rules !== null && !rules.thinksAdaptively ? 'plain' : null;
  }
  if (dialect !== 'openai-chat') return null;
  if (preset === 'mistral') return 'marked';
  return preset === 'deepseek' && /\/beta\/?$/.test(baseUrl) ? 'marked' : null;
}
