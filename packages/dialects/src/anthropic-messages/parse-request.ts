import { deny, type Result } from '@tollgate/core/errors/errors';
import { hashConversationStart } from '../conversation-start.ts';
import { classifyBody } from '../contract/request-members.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import type { ParsedRequest } from '../relay-request.ts';
import { checkMaxTokens, parseMessagesFields } from '../parse-common.ts';
import { denyThread } from './deny-thread.ts';
import { readReasoningSetting } from '../reasoning-setting.ts';
import { readInputTraits } from './input-traits.ts';

/** Reads `POST /v1/messages` as far as relaying needs it (https://docs.anthropic.com/en/api/messages). */
export function parseAnthropicMessagesRequest(text: string): Result<ParsedRequest> {
  const common = parseMessagesFields(text);
  if (!common.ok) return common;
  const { body, model, stream } = common.value;
  const thread = denyThread(body);
  if (thread !== null) return thread;
  const maxTokens = checkMaxTokens(body, 'max_tokens');
  if (!maxTokens.ok) return maxTokens;
  if (maxTokens.value === null) {
    return deny('invalid_request', 'max_tokens is required and must be a whole number of at least 1.', {
      param: 'max_tokens',
    });
  }
  return {
    ok: true,
    value: {
      model,
      stream,
      wantsStreamUsage: true,
      forwardChanges: {},
      maxOutputTokens: maxTokens.value,
      ...thinkingBudgets(body),
      choices: 1,
      reasoning: readReasoningSetting(body),
      ...classifyBody(body),
      conversationStart: hashConversationStart(body),
      ...readInputTraits(body),
    },
  };
}

function thinkingBudgets(
  body: JsonObject,
): Pick<ParsedRequest, 'thinkingBudgetTokens' | 'fallbackBudgetTokens'> {
  const own = getBudget(body);
  const { fallbacks } = body;
  const others = Array.isArray(fallbacks) ? fallbacks.map((entry) => getBudget(asObject(entry)) ?? 0) : [];
  const highest = others.reduce((most, budget) => Math.max(most, budget), 0);
  return {
    ...(own !== null && { thinkingBudgetTokens: own }),
    ...(highest > 0 && { fallbackBudgetTokens: highest }),
  };
}

function getBudget(request: JsonObject | null): number | null {
  const budget = asObject(request?.['thinking'])?.['budget_tokens'];
  return typeof budget === 'number' ? budget : null;
}
