import type { Buffer } from 'node:buffer';
import type { Result } from '@tollgate/core/errors/errors';
import { expandItems } from '@tollgate/dialects/openai-responses/carried/expand-items';
import { ITEM_MARK } from '@tollgate/dialects/openai-responses/carried/item-id';
import { scanBody } from '@tollgate/dialects/json/scan-body';
import type { Endpoint } from './parse-body.ts';

/**
 * Writes the items into a body whose ids carry them, so that everything after this reads what the provider is sent.
 * @returns the body itself, unless an id of an entry of `input` carries an item
 */
export function expandBody(endpoint: Endpoint, body: Buffer): Result<Buffer> {
  if (!endpoint.startsWith('/v1/responses') || !body.includes(ITEM_MARK)) return { ok: true, value: body };
  const ambiguous = scanBody(body);
  if (ambiguous !== null) return { ok: false, error: ambiguous };
  return expandItems(body);
}
