import type { CompletionRequest } from '@tollgate/core/completion/request';
import { collectInput, type CollectedInput } from './collect-input.ts';
import { getTokenWeights } from './token-weights.ts';

/** What a token count needs of a request. Plain data: a thread can return it. */
export interface InputDescription {
  input: CollectedInput;
  /** The request forces a tool. */
  isForced: boolean;
  isThinking: boolean;
  hasOutputSchema: boolean;
}

/** @param model the name that the provider knows; its family decides whether it reads reasoning of earlier turns */
export function describeInput(request: CompletionRequest, model: string): InputDescription {
  const { toolChoice, reasoning, outputFormat } = request;
  return {
    input: collectInput(request, getTokenWeights(model).weights.readsOldReasoning),
    isForced: toolChoice?.type === 'required' || toolChoice?.type === 'tool',
    isThinking: reasoning !== null && reasoning.type !== 'off',
    hasOutputSchema: outputFormat.type === 'json_schema',
  };
}
