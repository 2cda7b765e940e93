import type { AssistantPart } from '@tollgate/core/completion/content';
import type { CompletionResponse } from '@tollgate/core/completion/response';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { decodeAssistantBlock } from './decode-assistant-block.ts';
import { decodeStopReason } from './decode-finish.ts';
import { getCompletionUsage } from '../usage/completion-usage.ts';
import { decodeAnthropicUsage } from './decode-usage.ts';

const text = (value: unknown) => (typeof value === 'string' ? value : null);

/**
 * Reads a whole message (https://docs.anthropic.com/en/api/messages).
 * @returns null if the body is no message
 */
export function decodeAnthropicResponse(body: JsonObject): CompletionResponse | null {
  const { content } = body;
  if (body['type'] !== 'message' || !Array.isArray(content)) return null;
  const usage = asObject(body['usage']);
  const parts = content.flatMap((value) => {
    const block = asObject(value);
    return block === null ? [] : [decodeAssistantBlock(block)];
  });
  return {
    id: text(body['id']) ?? '',
    model: text(body['model']) ?? '',
    createdAt: null,
    choices: [
      {
        content: [...parts, ...decodeRefusal(body['stop_details'])],
        finish: decodeStopReason(body['stop_reason'], body['stop_sequence']),
      },
    ],
    usage: getCompletionUsage(decodeAnthropicUsage(body)),
    serviceTier: text(usage?.['service_tier']),
  };
}

/** Reads why a model refused, if `stop_details` says it. */
export function decodeRefusal(details: unknown): AssistantPart[] {
  const explanation = text(asObject(details)?.['explanation']);
  return explanation === null ? [] : [{ type: 'refusal', text: explanation }];
}
