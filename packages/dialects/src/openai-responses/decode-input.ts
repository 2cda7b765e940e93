import type { TextPart, ToolResultContent, UserPart } from '@tollgate/core/completion/content';
import type { Message } from '@tollgate/core/completion/request';
import type { FieldReader } from '../json/field-reader.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { decodeOutputItem } from './decode-output-item.ts';
import { decodeParts, textPart } from './decode-part.ts';

/** Items that no model makes: what came of a call, what the caller decides or adds. */
export const CALLERS_ITEM =
  /_(?:output|response)$|^(?:additional_tools|configuration_update|compaction_trigger)$/;

/**
 * Reads `instructions` and `input` (https://platform.openai.com/docs/api-reference/responses/create). What a model made
 * between two turns of the caller (reasoning, messages, calls) is one turn of the assistant.
 */
export function decodeInput(body: JsonObject, reader: FieldReader): Message[] {
  const instructions = reader.string({ object: body, key: 'instructions', at: '' }) ?? '';
  const messages: Message[] =
    instructions === '' ? [] : [{ role: 'system', kind: 'system', content: [textPart(instructions)] }];
  const input = body['input'] ?? null;
  if (typeof input === 'string' && input !== '')
    return [...messages, { role: 'user', name: null, content: [textPart(input)] }];
  if (!Array.isArray(input) || input.length === 0) {
    reader.refuse('input', 'is required and must be a string or a list that is not empty');
    return messages;
  }
  for (const { item, at } of reader.objects({ object: body, key: 'input', at: '' })) {
    const message = decodeItem(item, at, reader);
    const last = messages.at(-1);
    if (message?.role === 'assistant' && last?.role === 'assistant') last.content.push(...message.content);
    else if (message !== null) messages.push(message);
  }
  return messages;
}

function decodeItem(item: JsonObject, at: string, reader: FieldReader): Message | null {
  const type = item['type'] ?? 'message';
  if (typeof type !== 'string') return reader.refuse(`${at}type`, 'must be a string');
  if (type === 'message') return decodeMessage(item, at, reader);
  if (type === 'function_call_output') return decodeCallOutput(item, at, reader);
  if (CALLERS_ITEM.test(type)) {
    const content: UserPart[] = [{ type: 'opaque', dialect: 'openai-responses', name: type, value: item }];
    return { role: 'user', name: null, content };
  }
  return { role: 'assistant', name: null, content: decodeOutputItem(item, at, reader) };
}

function decodeMessage(item: JsonObject, at: string, reader: FieldReader): Message | null {
  const content = { object: item, key: 'content', at };
  switch (item['role']) {
    case 'system':
    case 'developer': {
      const parts = textOnly(decodeParts(content, reader), at, reader);
      return { role: 'system', kind: item['role'], content: parts };
    }
    case 'user':
      return { role: 'user', name: null, content: decodeParts(content, reader) };
    case 'assistant':
      return { role: 'assistant', name: null, content: decodeOutputItem(item, at, reader) };
    default:
      return reader.refuse(`${at}role`, 'must be one of user, assistant, system, developer');
  }
}

function decodeCallOutput(item: JsonObject, at: string, reader: FieldReader): Message {
  const callId = reader.requiredString({ object: item, key: 'call_id', at });
  const parts = decodeParts({ object: item, key: 'output', at }, reader);
  return { role: 'tool', callId, content: withoutAudio(parts, at, reader), isError: false, cache: null };
}

function textOnly(parts: UserPart[], at: string, reader: FieldReader): TextPart[] {
  return parts.flatMap((part, index) => {
    if (part.type === 'text') return [part];
    reader.refuse(`${at}content.${index}.type`, 'must be input_text in a message of this role');
    return [];
  });
}

function withoutAudio(parts: UserPart[], at: string, reader: FieldReader): ToolResultContent[] {
  return parts.flatMap((part, index) => {
    if (part.type !== 'audio') return [part];
    reader.refuse(`${at}output.${index}.type`, 'must not be input_audio in a tool result');
    return [];
  });
}
