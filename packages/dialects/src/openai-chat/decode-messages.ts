import type { TextPart, ToolResultContent, UserPart } from '@tollgate/core/completion/content';
import type { Message } from '@tollgate/core/completion/request';
import type { JsonObject } from '../json/parse-object.ts';
import { decodeAssistantParts } from './decode-assistant.ts';
import { decodeCache } from './decode-cache.ts';
import { decodeParts } from './decode-part.ts';
import type { FieldReader } from '../json/field-reader.ts';

/** Reads `messages`, role by role (https://platform.openai.com/docs/api-reference/chat/create#messages). */
export function decodeMessages(body: JsonObject, reader: FieldReader): Message[] {
  const given = reader.list({ object: body, key: 'messages', at: '' });
  if (given === null || given.length === 0) reader.refuse('messages', 'must be a list that is not empty');
  const legacyIds = new Map<string, string>();
  return reader
    .objects({ object: body, key: 'messages', at: '' })
    .flatMap(({ item, at }, index) => decodeMessage(item, { at, index, reader, legacyIds }) ?? []);
}

interface Place {
  at: string;
  index: number;
  reader: FieldReader;
  /** The last `function_call` of each function: it has no id, and its result names only the function. */
  legacyIds: Map<string, string>;
}

function decodeMessage(message: JsonObject, { at, index, reader, legacyIds }: Place): Message | null {
  const content = { object: message, key: 'content', at };
  const name = () => reader.string({ object: message, key: 'name', at });
  switch (message['role']) {
    case 'system':
    case 'developer': {
      const parts = decodeParts(content, reader);
      return { role: 'system', kind: message['role'], content: textOnly(parts, at, reader) };
    }
    case 'user':
      requireContent(message, at, reader);
      return { role: 'user', name: name(), content: decodeParts(content, reader) };
    case 'assistant': {
      const legacy = (called: string) => {
        const id = `call_${called}_${index}`;
        legacyIds.set(called, id);
        return id;
      };
      const parts = decodeAssistantParts(message, { at, reader, ids: { missing: null, legacy } });
      return { role: 'assistant', name: name(), content: parts };
    }
    case 'tool': {
      requireContent(message, at, reader);
      const callId = reader.requiredString({ object: message, key: 'tool_call_id', at });
      const parts = withoutAudio(decodeParts(content, reader), at, reader);
      return { role: 'tool', callId, content: parts, isError: false, cache: decodeCache(message) };
    }
    case 'function': {
      const called = reader.requiredString({ object: message, key: 'name', at });
      const callId = legacyIds.get(called) ?? `call_${called}`;
      const parts = withoutAudio(decodeParts(content, reader), at, reader);
      return { role: 'tool', callId, content: parts, isError: false, cache: null };
    }
    default:
      return reader.refuse(`${at}role`, 'must be one of system, developer, user, assistant, tool, function');
  }
}

function requireContent(message: JsonObject, at: string, reader: FieldReader): void {
  if ((message['content'] ?? null) === null)
    reader.refuse(`${at}content`, 'must be a string or a list of parts');
}

function textOnly(parts: UserPart[], at: string, reader: FieldReader): TextPart[] {
  return parts.flatMap((part, index) => {
    if (part.type === 'text') return [part];
    reader.refuse(`${at}content.${index}.type`, 'must be text in a message of this role');
    return [];
  });
}

/** Images and files in tool results are no part of OpenAI's dialect, but of what its clients send to others. */
function withoutAudio(parts: UserPart[], at: string, reader: FieldReader): ToolResultContent[] {
  return parts.flatMap((part, index) => {
    if (part.type !== 'audio') return [part];
    reader.refuse(`${at}content.${index}.type`, 'must not be input_audio in a tool result');
    return [];
  });
}
