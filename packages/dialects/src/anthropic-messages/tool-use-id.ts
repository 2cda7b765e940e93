import { unpackCallId } from '../call-id.ts';

const NOT_ALLOWED = /[^a-zA-Z0-9_-]/g;

/**
 * An id that this dialect takes for a tool call: other providers write `functions.add:0`, or none at all. The same id
 * always becomes the same one, so a call and its result still belong together.
 */
export function toToolUseId(id: string): string {
  // What another maker's provider signed is nothing to this one.
  const own = unpackCallId(id).id;
  return own === '' ? 'toolu_unnamed' : own.replace(NOT_ALLOWED, '_');
}
