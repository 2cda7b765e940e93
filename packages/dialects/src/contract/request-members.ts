import type { JsonObject } from '../json/parse-object.ts';
import { readConversation, type ConversationFacts } from './conversation.ts';

/** What contracts classify of a request. */
export interface ClassifiedBody {
  /** All members but the conversation, which may be large. */
  members: JsonObject;
  /** What the conversation has that is classified; null: nothing. */
  conversation: ConversationFacts | null;
}

/** Takes out of a body what contracts classify. */
export function classifiedOf(body: JsonObject): ClassifiedBody {
  const {
    messages: _messages,
    input: _input,
    system: _system,
    instructions: _instructions,
    ...members
  } = body;
  return { members, conversation: readConversation(body) };
}
