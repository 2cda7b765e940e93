import { Buffer } from 'node:buffer';
import type { Result } from '@tollgate/core/errors/errors';
import { expandItems } from '@tollgate/dialects/openai-responses/carried/expand-items';
import { ITEM_MARK } from '@tollgate/dialects/openai-responses/carried/item-id';
import { scanBody } from '@tollgate/dialects/json/scan-body';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import type { Endpoint } from './parse-body.ts';

/**
 * Writes the items into a body whose ids carry them, so that everything after this reads what the provider is sent.
 * @returns the body itself, unless such an id is in it
 */
export function expandBody(endpoint: Endpoint, body: Buffer): Result<Buffer> {
  if (endpoint !== '/v1/responses' || !body.includes(ITEM_MARK)) return { ok: true, value: body };
  const ambiguous = scanBody(body);
  if (ambiguous !== null) return { ok: false, error: ambiguous };
  const object = parseJsonObject(body.toString('utf8'));
  const input = object?.['input'];
  // The parser reports what is wrong with it.
  if (!Array.isArray(input)) return { ok: true, value: body };
  const expanded = expandItems(input);
  if (!expanded.ok) return expanded;
  return { ok: true, value: Buffer.from(JSON.stringify({ ...object, input: expanded.value })) };
}
