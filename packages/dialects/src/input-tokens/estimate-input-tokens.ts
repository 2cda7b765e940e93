import type { CompletionRequest } from '@tollgate/core/completion/request';
import type { CollectedInput } from './collect-input.ts';
import { countTextTokens } from './count-text-tokens.ts';
import { describeInput, type InputDescription } from './describe-input.ts';
import type { CountFor } from './tokenizer-thread.ts';
import { boundAudioTokens } from './media-tokens.ts';
import { getTokenWeights, type TokenWeights } from './token-weights.ts';

/**
 * Fewest characters of encrypted reasoning per token. OpenAI's Codex estimates a token for four bytes, after 650 bytes of
 * overhead (https://github.com/openai/codex, `estimate_reasoning_length`): that is 5.3 characters of base64, and 7.1 of a
 * signature that contains it. Recorded reasoning of Claude has about 9.
 */
const MIN_CHARACTERS_PER_SEALED_TOKEN = 7;

export interface InputTokenEstimate {
  /** The likely count. */
  tokens: number;
  /**
   * The count is hardly ever higher. It covers the request's own content, also what the estimate does not know, but not what
   * a provider's own tools (web search, code execution) read, nor documents that are not in the request. An image counts as
   * the most expensive one.
   */
  atMost: number;
}

/**
 * Estimates how many input tokens a provider will count for a request, from its text in o200k_base and what the templates
 * of the model's makers are known to add. For models of OpenAI within 20 % or 15 tokens, for Claude within 20 % or 30
 * tokens, for others within 50 % or 150 tokens: see `docs/token-counts.md`.
 * @param model the name that the provider knows; it decides the family of the model
 * @param countFor default: an estimate that does not take turns
 * @throws TokenizerUnavailable for an admission whose text is not counted
 */
export async function estimateInputTokens(
  request: CompletionRequest,
  model: string,
  countFor?: CountFor,
): Promise<InputTokenEstimate> {
  return estimateDescribedInput(describeInput(request, model, null), model, countFor);
}

/** The same for a request that was described before. */
export async function estimateDescribedInput(
  { input, isForced, isThinking, hasOutputSchema, uncounted, joinedMessages }: InputDescription,
  model: string,
  countFor?: CountFor,
): Promise<InputTokenEstimate> {
  const { weights } = getTokenWeights(model);
  const textTokens = await countTextTokens(input.texts, countFor);
  const schemaTokens = await countTextTokens(input.schemas, countFor);
  const uncountedTokens = uncounted === '' ? 0 : await countTextTokens([uncounted], countFor);
  const estimate =
    weights.perRequest +
    weights.perMessage * input.messages +
    weights.perTextToken * textTokens +
    weights.perSchemaToken * schemaTokens +
    weights.toolCall * input.toolCalls +
    weights.toolResult * input.toolResults +
    weights.textDocument * input.textDocuments +
    (input.tools > 0 ? weights.tools + (isForced ? weights.forcedTool : 0) : 0) +
    (hasOutputSchema ? weights.outputSchema : 0) +
    (isThinking ? weights.reasoning : 0) +
    input.imageTokens +
    input.mediaTokens;
  const tokens = Math.ceil(estimate);
  const dearerImages = Math.max(0, boundImages(input, weights) - input.imageTokens);
  const { factor, tokens: few } = weights.margin;
  const others = uncountedTokens * Math.max(weights.perTextToken, weights.perSchemaToken);
  const sealed = Math.ceil(input.sealedCharacters / MIN_CHARACTERS_PER_SEALED_TOKEN);
  const joined = weights.perMessage * joinedMessages;
  const audio = boundAudioTokens(input.audioCharacters);
  return {
    tokens,
    atMost: Math.ceil((tokens + others + joined) * factor) + few + dearerImages + audio + sealed,
  };
}

/** Patches of a small image that is enlarged. */
const LEAST_PATCHES = 256;

function boundImages({ images, imagePatches }: CollectedInput, weights: TokenWeights): number {
  const { maxImageTokens, maxPatchTokens } = weights;
  if (maxPatchTokens === undefined) return images * maxImageTokens;
  const bound = (patches: number) =>
    Math.min(maxImageTokens, Math.ceil(Math.max(patches, LEAST_PATCHES) * maxPatchTokens));
  const ofKnown = imagePatches.reduce((sum, patches) => sum + bound(patches), 0);
  return (images - imagePatches.length) * maxImageTokens + ofKnown;
}
