import type { JsonObject } from '../json/parse-object.ts';
import { readConversation, type ConversationFacts } from './conversation.ts';

/** The parts of a request that contracts classify. */
export interface ClassifiedBody {
  /** All members but the conversation, which may be large. */
  members: JsonObject;
  /** The classified parts of the conversation; null: none. */
  conversation: ConversationFacts | null;
}

/** Takes out of a body what contracts classify. */
export function classifyBody(body: JsonObject): ClassifiedBody {
  const {
    messages: _messages,
    input: _input,
    system: _system,
    instructions: _instructions,
    ...members
  } = body;
  return { members, conversation: readConversation(body) };
}
