import { deny, type Result } from '@tollgate/core/errors/errors';
import { hashConversationStart } from '../conversation-start.ts';
import { classifyBody, type ClassifiedBody } from '../contract/request-members.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { checkMaxTokens, checkList, parseCommonFields } from '../parse-common.ts';
import type { ParsedRequest } from '../relay-request.ts';
import { getItemReferences } from './carried/keeps-items.ts';
import { readReasoningSetting, type ReasoningSetting } from '../reasoning-setting.ts';
import { noteInputTraits } from './input-traits.ts';
import { denyStateful } from './stateful-members.ts';

/**
 * Reads `POST /v1/responses` as far as relaying needs it
 * (https://platform.openai.com/docs/api-reference/responses/create). The provider gets `store: false`, as nothing is kept here.
 */
export function parseOpenAiResponsesRequest(text: string): Result<ParsedRequest> {
  const common = parseCommonFields(text);
  if (!common.ok) return common;
  const { body, model, stream } = common.value;
  const stateful = denyStateful(body);
  if (stateful !== null) return stateful;
  const error = checkInput(body);
  if (error !== null) return error;
  const maxTokens = checkMaxTokens(body, 'max_output_tokens');
  if (!maxTokens.ok) return maxTokens;
  const include: unknown = body['include'] ?? [];
  if (!Array.isArray(include))
    return deny('invalid_request', 'include must be a list.', { param: 'include' });
  const itemReferences = getItemReferences(body);
  const classified = classifyBody(body);
  const forwardChanges: Record<string, string> = {};
  if (body['store'] !== false) forwardChanges['store'] = 'false';
  const request: ParsedRequest = {
    model,
    stream,
    wantsStreamUsage: true,
    forwardChanges,
    maxOutputTokens: maxTokens.value,
    choices: 1,
    reasoning: readLastReasoning(body, classified),
    members: classified.members,
    conversation: classified.conversation,
    conversationStart: hashConversationStart(body),
    writesCache: false,
    mediaParts: 0,
    hasUnboundedInput: false,
  };
  if (itemReferences !== null) request.itemReferences = itemReferences;
  // Into the request itself: copying takes longer than finding them.
  noteInputTraits(request, body);
  return { ok: true, value: request };
}

/** Of the last item that updates it, else of the request. */
function readLastReasoning(body: JsonObject, { conversation }: ClassifiedBody): ReasoningSetting | null {
  const updates = (conversation?.settings ?? []).map(({ checked }) => readReasoningSetting(checked));
  return updates.findLast((setting) => setting !== null) ?? readReasoningSetting(body);
}

function checkInput(body: JsonObject): ReturnType<typeof deny> | null {
  const input = body['input'] ?? null;
  if (typeof input === 'string' && input !== '') return null;
  if (Array.isArray(input)) return checkList(body, 'input');
  return deny('invalid_request', 'input is required and must be a string or a list that is not empty.', {
    param: 'input',
  });
}
