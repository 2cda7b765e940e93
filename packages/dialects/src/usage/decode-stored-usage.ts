import { NO_USAGE, type TokenUsage } from '@tollgate/core/money/money';
import { parseJsonObject } from '../json/parse-object.ts';
import { decodeOpenAiEmbeddingsUsage } from '../openai-embeddings/decode-usage.ts';
import { getBilledParts } from './billed-parts.ts';
import { readUsage } from './read-usage.ts';

/**
 * Decodes a usage object that was stored with a request, with the reader that billed it. Of a stream that reported usage
 * in parts, the parts were merged before they were stored.
 * @param stored.endpoint the path that was called
 * @param stored.rawUsage the object as JSON
 * @returns null if it is not a JSON object
 */
export function decodeStoredUsage(stored: { endpoint: string; rawUsage: string }): TokenUsage | null {
  const raw = parseJsonObject(stored.rawUsage);
  if (raw === null) return null;
  switch (getBilledParts(stored.endpoint)) {
    case 'nothing':
      return NO_USAGE;
    case 'input':
      return decodeOpenAiEmbeddingsUsage({ usage: raw })?.usage ?? null;
    case 'input and output':
      return readUsage(raw).usage;
  }
}
