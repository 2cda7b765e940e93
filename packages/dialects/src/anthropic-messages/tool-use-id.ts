import { unpackCallId } from '../call-id.ts';

const NOT_ALLOWED = /[^a-zA-Z0-9_-]/g;

/**
 * An id that this dialect accepts for a tool call: other providers write `functions.add:0`, or none at all. The mapping
 * is deterministic, so a call and its result still belong together.
 */
export function toToolUseId(id: string): string {
  // Another maker's signature means nothing to this provider.
  const own = unpackCallId(id).id;
  return own === '' ? 'toolu_unnamed' : own.replace(NOT_ALLOWED, '_');
}
