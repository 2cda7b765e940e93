import type { AssistantPart, TextPart } from '@tollgate/core/completion/content';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { decodeAnnotations } from './decode-annotations.ts';
import { decodeText, textPart } from './decode-part.ts';
import { decodeToolCalls, type CallIds } from './decode-tool-calls.ts';
import type { FieldReader } from '../json/field-reader.ts';
import { decodeReasoningDetails, type PlacedReasoning } from './reasoning-details.ts';

interface Place {
  at: string;
  reader: FieldReader;
  ids: CallIds;
}

/**
 * Reads the parts of an assistant's message, of a request or of an answer: its reasoning, in whichever of the
 * providers' members, then text and refusal, then calls.
 */
export function decodeAssistantParts(message: JsonObject, { at, reader, ids }: Place): AssistantPart[] {
  const parts: AssistantPart[] = decodeContent(message, at, reader);
  const refusal = reader.string({ object: message, key: 'refusal', at });
  if (refusal !== null && refusal !== '') parts.push({ type: 'refusal', text: refusal });
  const audio = asObject(message['audio']);
  if (audio !== null) parts.push({ type: 'opaque', dialect: 'openai-chat', name: 'audio', value: audio });
  parts.push(...decodeToolCalls(message, { at, reader, ids }));
  for (const placed of findReasoning(message).toReversed().toSorted(byIndex)) {
    // Numbered places are those in the whole message; the others open it.
    parts.splice(placed.index ?? 0, 0, placed.part);
  }
  return parts;
}

/** Reasoning without a place is handled last, in reverse: each part is put in front, which keeps the order. */
function byIndex(a: PlacedReasoning, b: PlacedReasoning): number {
  return (a.index ?? Infinity) === (b.index ?? Infinity) ? 0 : (a.index ?? Infinity) - (b.index ?? Infinity);
}

function decodeContent(message: JsonObject, at: string, reader: FieldReader): AssistantPart[] {
  const { content } = { content: null, ...message };
  const citations = decodeAnnotations(message['annotations']);
  if (content === null || content === '') return [];
  if (typeof content === 'string') return [{ ...textPart(content), citations }];
  if (!Array.isArray(content)) {
    reader.refuse(`${at}content`, 'must be a string or a list of parts');
    return [];
  }
  const parts = reader
    .objects({ object: message, key: 'content', at })
    .flatMap(({ item, at: inside }) => decodeContentPart(item, inside, reader) ?? []);
  const cited = parts.find((part): part is TextPart => part.type === 'text');
  if (cited !== undefined) cited.citations = citations;
  return parts;
}

function decodeContentPart(part: JsonObject, at: string, reader: FieldReader): AssistantPart | null {
  const type = reader.requiredString({ object: part, key: 'type', at });
  switch (type) {
    case 'text':
    case 'output_text':
      return decodeText(part, at, reader);
    case 'refusal':
      return { type: 'refusal', text: reader.string({ object: part, key: 'refusal', at }) ?? '' };
    case 'thinking':
      return { type: 'thinking', text: readMistralThinking(part), signature: getSignature(part) };
    case '':
      return null;
    default:
      return { type: 'opaque', dialect: 'openai-chat', name: type, value: part };
  }
}

/** Mistral: `{ "type": "thinking", "thinking": [{ "type": "text", "text": … }] }`. */
export function readMistralThinking(part: JsonObject): string {
  const { thinking } = { thinking: null, ...part };
  if (typeof thinking === 'string') return thinking;
  return (Array.isArray(thinking) ? thinking : [])
    .map((piece) => asObject(piece)?.['text'])
    .filter((text) => typeof text === 'string')
    .join('');
}

function getSignature(part: JsonObject): string | null {
  const signature = part['signature'];
  return typeof signature === 'string' && signature !== '' ? signature : null;
}

/** `reasoning_details` hold more than the text member: DeepSeek's `reasoning_content`, others' `reasoning`. */
function findReasoning(message: JsonObject): PlacedReasoning[] {
  const details = decodeReasoningDetails(message['reasoning_details']);
  if (details.length > 0) return details;
  const text = message['reasoning_content'] ?? message['reasoning'];
  if (typeof text !== 'string' || text === '') return [];
  return [{ index: 0, part: { type: 'thinking', text, signature: null } }];
}
