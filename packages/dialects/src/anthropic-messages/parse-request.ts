import { deny, type Result } from '@tollgate/core/errors/errors';
import { hashConversationStart } from '../conversation-start.ts';
import { classifyBody } from '../contract/request-members.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import type { ParsedRequest } from '../relay-request.ts';
import { checkMaxTokens, parseMessagesFields } from '../parse-common.ts';
import { denyThread } from './deny-thread.ts';
import { readReasoningSetting } from '../reasoning-setting.ts';
import { noteInputTraits } from './input-traits.ts';

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
  const { members, conversation } = classifyBody(body);
  const request: ParsedRequest = {
    model,
    stream,
    wantsStreamUsage: true,
    forwardChanges: {},
    maxOutputTokens: maxTokens.value,
    choices: 1,
    reasoning: readReasoningSetting(body),
    members,
    conversation,
    conversationStart: hashConversationStart(body),
    writesCache: false,
    mediaParts: 0,
    hasUnboundedInput: false,
  };
  // Into the request itself: copying takes longer than finding them.
  noteThinkingBudgets(request, body);
  noteInputTraits(request, body);
  return { ok: true, value: request };
}

function noteThinkingBudgets(request: ParsedRequest, body: JsonObject): void {
  const own = getBudget(body);
  if (own !== null) request.thinkingBudgetTokens = own;
  const { fallbacks } = body;
  if (!Array.isArray(fallbacks)) return;
  let highest = 0;
  for (const entry of fallbacks) highest = Math.max(highest, getBudget(asObject(entry)) ?? 0);
  if (highest > 0) request.fallbackBudgetTokens = highest;
}

function getBudget(request: JsonObject | null): number | null {
  const budget = asObject(request?.['thinking'])?.['budget_tokens'];
  return typeof budget === 'number' ? budget : null;
}
