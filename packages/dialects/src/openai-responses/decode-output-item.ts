import type { AssistantPart, OpaquePart, ToolCallPart } from '@tollgate/core/completion/content';
import type { FieldReader } from '../json/field-reader.ts';
import { getLabel } from '../json/get-label.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { decodeArguments } from '../openai-chat/decode-tool-calls.ts';
import { decodeAnnotations } from './annotations.ts';
import { decodeText, textPart } from './decode-part.ts';
import { decodeReasoningItem } from './reasoning-item.ts';

/**
 * Reads an item that a model made, in an answer or in a request that repeats one.
 * @param at the path of the item in the body, with a trailing dot: `input.2.`
 */
export function decodeOutputItem(item: JsonObject, at: string, reader: FieldReader): AssistantPart[] {
  switch (item['type'] ?? 'message') {
    case 'message':
      return decodeMessageContent(item, at, reader);
    case 'reasoning': {
      const reasoning = decodeReasoningItem(item);
      return reasoning === null ? [] : [reasoning];
    }
    case 'function_call': {
      const call = decodeFunctionCall(item, at, reader);
      // Only this dialect has namespaces: `portable-tools` writes the call for the others.
      return [typeof item['namespace'] === 'string' ? opaque(item) : call];
    }
    default:
      return [opaque(item)];
  }
}

function opaque(item: JsonObject): OpaquePart {
  return { type: 'opaque', dialect: 'openai-responses', name: getLabel(item['type']), value: item };
}

function decodeMessageContent(item: JsonObject, at: string, reader: FieldReader): AssistantPart[] {
  const content = item['content'] ?? null;
  if (content === '' || content === null) return [];
  if (typeof content === 'string') return [textPart(content)];
  if (!Array.isArray(content)) {
    reader.refuse(`${at}content`, 'must be a string or a list of parts');
    return [];
  }
  return reader
    .objects({ object: item, key: 'content', at })
    .flatMap(({ item: part, at: inside }) => decodeContent(part, inside, reader) ?? []);
}

function decodeContent(part: JsonObject, at: string, reader: FieldReader): AssistantPart | null {
  switch (part['type']) {
    case 'output_text':
    case 'input_text':
    case 'text': {
      const text = decodeText(part, at, reader);
      return text.text === '' ? null : { ...text, citations: decodeAnnotations(part['annotations']) };
    }
    case 'refusal':
      return { type: 'refusal', text: reader.string({ object: part, key: 'refusal', at }) ?? '' };
    default:
      return reader.refuse(`${at}type`, 'must be one of output_text, refusal');
  }
}

function decodeFunctionCall(item: JsonObject, at: string, reader: FieldReader): ToolCallPart {
  const text = item['arguments'] ?? '';
  if (typeof text !== 'string' && typeof text !== 'object')
    reader.refuse(`${at}arguments`, 'must be a string of JSON');
  return {
    type: 'tool_call',
    id: reader.requiredString({ object: item, key: 'call_id', at }),
    name: reader.requiredString({ object: item, key: 'name', at }),
    arguments: decodeArguments(text, `${at}arguments`, reader),
    cache: null,
  };
}
