import type { Buffer } from 'node:buffer';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import { ITEM_MARK } from '@tollgate/dialects/openai-responses/carried/item-id';
import { parseOutline, type Endpoint, type ParsedBody } from './parse-body.ts';

const { maxOutlinedBytes, maxOnLoopMembers, maxOnLoopValues, maxOutlinedMembers, maxOutlinedValues } =
  BODY_LIMITS;
const LIMITS = {
  maxValues: maxOutlinedValues,
  maxMembers: maxOutlinedMembers,
  maxScannedMembers: maxOnLoopMembers,
  maxScannedValues: maxOnLoopValues,
  maxBytes: BODY_LIMITS.maxOnLoopBytes,
};

/**
 * Parses a body on the event loop, if its outline is small.
 * @param body halves of surrogate pairs in it are replaced, in place
 * @returns null for any other body, which is not refused yet
 */
export function parseOnLoop(endpoint: Endpoint, body: Buffer): ParsedBody | null {
  if (body.length > maxOutlinedBytes) return null;
  // The items in its ids are written into it first.
  if (endpoint.startsWith('/v1/responses') && body.includes(ITEM_MARK)) return null;
  return parseOutline(endpoint, body, LIMITS);
}
