import type { RelayRequest } from '../relay-request.ts';
import { DESCRIBED_TOOL_TOKENS } from './bound-input-tokens.ts';
import type { CollectedInput } from './collect-input.ts';
import { getTokenWeights } from './token-weights.ts';

/**
 * Bounds the tokens of what a count of the text does not see: images at an address, or in an item that has no canonical form,
 * and tools that the provider describes.
 * @param model the name that the provider knows
 */
export function boundUncounted(
  { mediaParts, describedTools = 0 }: Pick<RelayRequest, 'mediaParts' | 'describedTools'>,
  { images, audios }: Pick<CollectedInput, 'images' | 'audios'>,
  model: string,
): number {
  const unseen = Math.max(0, mediaParts - images - audios);
  return unseen * getTokenWeights(model).weights.maxImageTokens + describedTools * DESCRIBED_TOOL_TOKENS;
}
