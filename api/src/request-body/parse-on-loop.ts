import type { Buffer } from 'node:buffer';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import { ITEM_MARK } from '@tollgate/dialects/openai-responses/carried/item-id';
import { findInOutline } from '@tollgate/dialects/outline/outline-body';
import { parseOutline, type Endpoint, type ParsedBody } from './parse-body.ts';

const { maxOutlinedBytes, maxOnLoopMembers, maxOnLoopValues, maxOutlinedMembers, maxOutlinedValues } =
  BODY_LIMITS;
const ITEM_MARKS = [ITEM_MARK];
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
  const parsed = parseOutline(endpoint, body, LIMITS);
  // The items in its ids are written into it first. A native search of a megabyte may take 10 ms; the outline has every id.
  const mayCarryItems =
    parsed !== null && endpoint.startsWith('/v1/responses') && findInOutline(ITEM_MARKS).length > 0;
  return mayCarryItems ? null : parsed;
}
