import type { Dialect } from '@tollgate/core/models/dialect';
import { decodeAnthropicUsage } from './anthropic-messages/decode-usage.ts';
import { isChatCompletion, isMessage, isResponse } from './is-answer.ts';
import type { JsonObject } from './json/parse-object.ts';
import { decodeOpenAiUsage } from './openai-chat/decode-usage.ts';
import { decodeOpenAiResponsesUsage } from './openai-responses/decode-usage.ts';
import type { UsageReport } from './usage/usage-report.ts';

/** How whole answers of a dialect are judged and metered. */
export interface DialectRules {
  /** False: the body is no answer, whatever its status. */
  isAnswer(body: JsonObject): boolean;
  /** The usage that the answer reports; null: none. */
  decodeUsage(body: JsonObject): UsageReport | null;
}

const RULES: Record<Dialect, DialectRules> = {
  'openai-chat': { isAnswer: isChatCompletion, decodeUsage: (body) => decodeOpenAiUsage(body) },
  'anthropic-messages': { isAnswer: isMessage, decodeUsage: (body) => decodeAnthropicUsage(body) },
  'openai-responses': { isAnswer: isResponse, decodeUsage: (body) => decodeOpenAiResponsesUsage(body) },
};

export function getDialectRules(dialect: Dialect): DialectRules {
  return RULES[dialect];
}
