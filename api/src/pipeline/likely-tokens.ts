import type { Buffer } from 'node:buffer';
import { tokensOfBytes } from '@tollgate/dialects/input-tokens/tokens-of-bytes';
import type { RelayRequest } from '@tollgate/dialects/relay-request';

/** What an image costs, nearly: https://docs.anthropic.com/en/docs/build-with-claude/vision#calculate-image-costs */
const TOKENS_PER_MEDIA_PART = 1_500;
/** A run of base64 as long as this is a file, no word. */
const BASE64_RUN = /[A-Za-z0-9+/=]{512,}/g;

/** How many tokens a request has, roughly: what is packed into it as base64 is no text. */
export function likelyInputTokens(request: RelayRequest, body: Buffer): number {
  if (request.inputTokens !== undefined) return request.inputTokens;
  if (request.mediaParts === 0 && !request.hasUnboundedInput) return tokensOfBytes(body.length);
  let packedBytes = 0;
  for (const [run] of body.toString('latin1').matchAll(BASE64_RUN)) packedBytes += run.length;
  return tokensOfBytes(body.length - packedBytes) + request.mediaParts * TOKENS_PER_MEDIA_PART;
}
