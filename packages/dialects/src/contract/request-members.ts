import type { JsonObject } from '../json/parse-object.ts';

/**
 * The members of a body that contracts classify. What a conversation says has no rule but to be forwarded and may be
 * large, so it is left out.
 */
export function membersOf(body: JsonObject): JsonObject {
  const {
    messages: _messages,
    input: _input,
    system: _system,
    instructions: _instructions,
    ...members
  } = body;
  return members;
}
