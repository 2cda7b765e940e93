import type { Buffer } from 'node:buffer';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import { ITEM_MARK } from '@tollgate/dialects/openai-responses/carried/item-id';
import { hasManyMembers, hasManyValues } from './has-many-members.ts';

/** True for a body that takes long enough to be parsed and translated in a thread. */
export function isForThread(body: Buffer): boolean {
  const { maxOnLoopBytes, maxOnLoopBytesWithItems, maxOnLoopMembers, maxOnLoopValues } = BODY_LIMITS;
  if (body.length > maxOnLoopBytes) return true;
  const mayCarryItems = body.length > maxOnLoopBytesWithItems && body.includes(ITEM_MARK);
  return mayCarryItems || hasManyMembers(body, maxOnLoopMembers) || hasManyValues(body, maxOnLoopValues);
}
