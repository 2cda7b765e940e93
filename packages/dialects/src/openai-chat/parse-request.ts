import { deny, type Result } from '@tollgate/core/errors/errors';
import { hashConversationStart } from '../conversation-start.ts';
import { classifyBody } from '../contract/request-members.ts';
import { CHAT_LIMIT_MEMBERS, type ChatLimitMember } from '../limit-members.ts';
import type { ParsedRequest } from '../relay-request.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { checkMaxTokens, parseMessagesFields } from '../parse-common.ts';
import { MAX_CHOICES } from './decode-request.ts';
import { readReasoningSetting } from '../reasoning-setting.ts';
import { noteInputTraits } from './input-traits.ts';

/**
 * Reads `POST /v1/chat/completions` as far as relaying needs it
 * (https://platform.openai.com/docs/api-reference/chat/create).
 */
export function parseOpenAiChatRequest(text: string): Result<ParsedRequest> {
  const common = parseMessagesFields(text);
  if (!common.ok) return common;
  const { body, model, stream } = common.value;
  const limit = readLimit(body);
  if (!limit.ok) return limit;
  const choices = checkChoices(body, 'n');
  if (!choices.ok) return choices;
  // The provider writes and bills this many answers, and returns the best.
  const candidates = checkChoices(body, 'best_of');
  if (!candidates.ok) return candidates;
  const given = body['stream_options'] ?? null;
  const options = asObject(given);
  if (given !== null && options === null) {
    return deny('invalid_request', 'stream_options must be an object.', { param: 'stream_options' });
  }
  const wantsStreamUsage = options?.['include_usage'] === true;
  // Usage in a stream is sent only on request, and no stream is relayed unmetered.
  const forwardChanges: Record<string, string> =
    stream && !wantsStreamUsage
      ? { stream_options: JSON.stringify({ ...options, include_usage: true }) }
      : {};
  const { maxOutputTokens, limitMembers } = limit.value;
  const { members, conversation } = classifyBody(body);
  const request: ParsedRequest = {
    model,
    stream,
    wantsStreamUsage,
    forwardChanges,
    maxOutputTokens,
    limitMembers,
    choices: Math.max(choices.value, candidates.value),
    reasoning: readReasoningSetting(body),
    members,
    conversation,
    conversationStart: hashConversationStart(body),
    writesCache: false,
    mediaParts: 0,
    hasUnboundedInput: false,
  };
  // Into the request itself: copying takes longer than finding them.
  noteInputTraits(request, body);
  return { ok: true, value: request };
}

/** @returns the output limit, and the members that name it */
function readLimit(
  body: JsonObject,
): Result<{ maxOutputTokens: number | null; limitMembers: ChatLimitMember[] }> {
  let maxOutputTokens: number | null = null;
  const limitMembers: ChatLimitMember[] = [];
  for (const name of CHAT_LIMIT_MEMBERS) {
    const checked = checkMaxTokens(body, name);
    if (!checked.ok) return checked;
    if (checked.value !== null) limitMembers.push(name);
    const [first] = limitMembers;
    if (checked.value !== null && maxOutputTokens !== null && checked.value !== maxOutputTokens)
      return deny('invalid_request', `${first} and ${name} differ: send one of them.`, {
        param: first ?? name,
      });
    maxOutputTokens = checked.value ?? maxOutputTokens;
  }
  return { ok: true, value: { maxOutputTokens, limitMembers } };
}

function checkChoices(body: JsonObject, param: string): Result<number> {
  const value = body[param] ?? 1;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= MAX_CHOICES)
    return { ok: true, value };
  return deny('invalid_request', `${param} must be a whole number from 1 to ${MAX_CHOICES}.`, { param });
}
