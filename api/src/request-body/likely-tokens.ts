import type { Buffer } from 'node:buffer';
import { tokensOfBytes } from '@tollgate/dialects/input-tokens/tokens-of-bytes';
import type { RelayRequest } from '@tollgate/dialects/relay-request';

/** Approximate cost of an image: https://docs.anthropic.com/en/docs/build-with-claude/vision#calculate-image-costs */
const TOKENS_PER_MEDIA_PART = 1_500;
/** A run of base64 of at least this length is binary data, not text. */
const MIN_RUN_BYTES = 512;

const IS_BASE64 = new Uint8Array(256);
for (const sign of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=')
  IS_BASE64[sign.charCodeAt(0)] = 1;

/** Rough number of a request's tokens: embedded base64 data does not count as text. */
export function likelyInputTokens(request: RelayRequest, body: Buffer): number {
  if (request.inputTokens !== undefined) return request.inputTokens;
  if (request.mediaParts === 0 && !request.hasUnboundedInput) return tokensOfBytes(body.length);
  return tokensOfBytes(body.length - countBase64Bytes(body)) + request.mediaParts * TOKENS_PER_MEDIA_PART;
}

/** Bytes in runs of base64. Every such run covers at least one of the sampled positions. */
export function countBase64Bytes(body: Buffer): number {
  let packedBytes = 0;
  let at = MIN_RUN_BYTES - 1;
  let seenTo = 0;
  while (at < body.length) {
    if (!isBase64(body, at)) {
      at += MIN_RUN_BYTES;
      continue;
    }
    let start = at;
    while (start > seenTo && isBase64(body, start - 1)) start -= 1;
    let end = at + 1;
    while (end < body.length && isBase64(body, end)) end += 1;
    if (end - start >= MIN_RUN_BYTES) packedBytes += end - start;
    seenTo = end;
    at = end + MIN_RUN_BYTES;
  }
  return packedBytes;
}

function isBase64(body: Buffer, at: number): boolean {
  return IS_BASE64[body[at] ?? 0] === 1;
}
