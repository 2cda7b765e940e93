import type { CompletionResponse } from '@tollgate/core/completion/response';
import { FieldReader } from '../json/field-reader.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { nameCall } from '../openai-chat/name-call.ts';
import { callOfItem } from '../portable-tools/call-of-item.ts';
import { decodeOutputItem } from './decode-output-item.ts';
import { getCompletionUsage } from '../usage/completion-usage.ts';
import { decodeOpenAiResponsesUsage } from './decode-usage.ts';
import { decodeFinish, getKinds } from './finish.ts';
import { decodeOutputLogprobs } from './logprobs.ts';

const ENDED: readonly unknown[] = ['completed', 'incomplete', undefined];

/**
 * Reads a response (https://platform.openai.com/docs/api-reference/responses/object), leniently: unreadable members are
 * left out.
 * @returns null if it is none, or one that failed or has not ended
 */
export function decodeOpenAiResponsesResponse(body: JsonObject): CompletionResponse | null {
  const { output } = body;
  if (!Array.isArray(output) || !ENDED.includes(body['status'])) return null;
  const id = asString(body['id']);
  const content = output
    .flatMap((value) => decodeOutputItem(asObject(value) ?? {}, '', new FieldReader()))
    .map((part) => (part.type === 'opaque' ? (callOfItem(part.value) ?? part) : part))
    .map((part, index) =>
      part.type === 'tool_call' && part.id === '' ? { ...part, id: nameCall(id, 0, index) } : part,
    );
  const logprobs = decodeOutputLogprobs(output);
  return {
    id,
    model: asString(body['model']),
    createdAt: getCreatedAt(body),
    choices: [
      {
        content,
        finish: decodeFinish(body, getKinds(content)),
        ...(logprobs.length === 0 ? {} : { logprobs }),
      },
    ],
    usage: getCompletionUsage(decodeOpenAiResponsesUsage(body)),
    serviceTier: typeof body['service_tier'] === 'string' ? body['service_tier'] : null,
  };
}

export function getCreatedAt(body: JsonObject): number | null {
  const created = body['created_at'];
  return typeof created === 'number' && created > 0 ? Math.floor(created) : null;
}

function asString(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
