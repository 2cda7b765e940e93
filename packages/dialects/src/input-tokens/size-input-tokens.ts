import { Buffer } from 'node:buffer';
import type { CompletionRequest } from '@tollgate/core/completion/request';
import { collectInput } from './collect-input.ts';
import { tokensOfBytes } from './tokens-of-bytes.ts';

/** Tokens that chat templates put around each message. */
const TOKENS_PER_MESSAGE = 4;

/**
 * Estimates input tokens from the size of what the model reads: texts, tools and schemas, images and files. Nothing of the
 * JSON around it is counted. Cheaper than `estimateInputTokens`, and synchronous.
 */
export function sizeInputTokens(request: CompletionRequest): number {
  const { texts, schemas, messages, imageTokens, mediaTokens } = collectInput(request, true);
  const bytes = [...texts, ...schemas].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return tokensOfBytes(bytes) + TOKENS_PER_MESSAGE * messages + imageTokens + mediaTokens;
}
