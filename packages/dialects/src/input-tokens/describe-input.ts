import type { CompletionRequest } from '@tollgate/core/completion/request';
import type { JsonObject } from '../json/parse-object.ts';
import { collectInput, type CollectedInput } from './collect-input.ts';
import { findUncounted } from './find-uncounted.ts';
import { getTokenWeights } from './token-weights.ts';

/** What a token count needs of a request. Plain data: a thread can return it. */
export interface InputDescription {
  input: CollectedInput;
  /** The request forces a tool. */
  isForced: boolean;
  isThinking: boolean;
  hasOutputSchema: boolean;
  /** What a provider may count besides the input; empty: nothing. */
  uncounted: string;
  /** Messages of the body that were joined with others. */
  joinedMessages: number;
}

/**
 * @param model the name that the provider knows; its family decides whether it reads reasoning of earlier turns
 * @param body as the caller sent it; null: the request is all that is sent
 */
export function describeInput(
  request: CompletionRequest,
  model: string,
  body: JsonObject | null,
): InputDescription {
  const { toolChoice, reasoning, outputFormat } = request;
  const input = collectInput(request, getTokenWeights(model).weights.readsOldReasoning);
  return {
    input,
    isForced: toolChoice?.type === 'required' || toolChoice?.type === 'tool',
    isThinking: reasoning !== null && reasoning.type !== 'off',
    hasOutputSchema: outputFormat.type === 'json_schema',
    uncounted: body === null ? '' : findUncounted(body, request, input),
    joinedMessages: body === null ? 0 : Math.max(0, countEntries(body) - input.messages - input.toolCalls),
  };
}

function countEntries({ messages, input }: JsonObject): number {
  const entries = messages ?? input;
  return Array.isArray(entries) ? entries.length : 0;
}
