import type { AssistantPart, UserPart } from '@tollgate/core/completion/content';
import type { Message } from '@tollgate/core/completion/request';
import { toBoundedCallId, unpackCallId } from '../call-id.ts';
import type { EncodeReport } from '../encode-report.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { CALLERS_ITEM } from './decode-input.ts';
import { isOwnAnnotation } from './annotations.ts';
import { dropCache, encodePart } from './encode-part.ts';
import { encodeRequestReasoning } from './reasoning-item.ts';

/** Content of a message; any other part that only this dialect has is a separate item. */
const CONTENT_TYPE = /^(?:input|output)_/;
/** The dialect has no sign for a result that is an error: its text says so. */
const ERROR_SIGN = 'Error: ';
/** OpenAI takes no longer one. */
export const MAX_CALL_ID = 64;

/** Writes a conversation as a list of items: a turn of the assistant is several of them. */
export function encodeInput(messages: readonly Message[], report: EncodeReport): JsonObject[] {
  const items = messages.flatMap((message, index) => encodeMessage(message, `messages.${index}`, report));
  return withoutUnfollowed(items, report);
}

/** OpenAI refuses reasoning without the message or call that it led to, as of a response that ended before. */
function withoutUnfollowed(items: JsonObject[], report: EncodeReport): JsonObject[] {
  const kept: JsonObject[] = [];
  let isFollowed = false;
  for (const item of items.toReversed()) {
    const isReasoning = item['type'] === 'reasoning';
    if (!isReasoning) isFollowed = isOfModel(item);
    if (!isReasoning || isFollowed) kept.push(item);
    else report.drop('reasoning');
  }
  return kept.length === items.length ? items : kept.toReversed();
}

/** False for what the caller said, and for results. */
function isOfModel({ type, role }: JsonObject): boolean {
  return type === 'message' ? role === 'assistant' : !CALLERS_ITEM.test(String(type));
}

function encodeMessage(message: Message, at: string, report: EncodeReport): JsonObject[] {
  switch (message.role) {
    case 'system': {
      const content = message.content.flatMap((part, index) =>
        encodePart(part, `${at}.content.${index}`, report),
      );
      return [{ type: 'message', role: message.kind, content }];
    }
    case 'user':
      if (message.name !== null) report.drop('name');
      return encodeUserTurn(message.content, at, report);
    case 'assistant':
      if (message.name !== null) report.drop('name');
      return encodeAssistantTurn(message.content, at, report);
    case 'tool':
      return [encodeCallOutput(message, at, report)];
  }
}

function encodeUserTurn(parts: readonly UserPart[], at: string, report: EncodeReport): JsonObject[] {
  const items: JsonObject[] = [];
  let content: JsonObject[] | null = null;
  for (const [index, part] of parts.entries()) {
    const written = encodePart(part, `${at}.content.${index}`, report);
    if (part.type === 'opaque' && !CONTENT_TYPE.test(part.name)) {
      items.push(...written);
      content = null;
    } else if (content === null) {
      content = written;
      items.push({ type: 'message', role: 'user', content });
    } else content.push(...written);
  }
  return items;
}

/** Text and refusals that follow one another are one message. */
function encodeAssistantTurn(
  parts: readonly AssistantPart[],
  at: string,
  report: EncodeReport,
): JsonObject[] {
  const items: JsonObject[] = [];
  let content: JsonObject[] | null = null;
  for (const [index, part] of parts.entries()) {
    if (part.type === 'text' || part.type === 'refusal') {
      if (part.type === 'text') dropCache(part.cache, report);
      const written = encodeSaid(part);
      if (content === null) {
        content = [written];
        items.push({ type: 'message', role: 'assistant', content });
      } else content.push(written);
      continue;
    }
    const item = encodeMade(part, `${at}.content.${index}`, report);
    if (item === null) continue;
    items.push(item);
    content = null;
  }
  return items;
}

function encodeSaid(part: Extract<AssistantPart, { type: 'text' | 'refusal' }>): JsonObject {
  if (part.type === 'refusal') return { type: 'refusal', refusal: part.text };
  const annotations = part.citations.filter(isOwnAnnotation).map(({ original }) => ({ ...original }));
  return { type: 'output_text', text: part.text, annotations };
}

function encodeMade(
  part: Exclude<AssistantPart, { type: 'text' | 'refusal' }>,
  at: string,
  report: EncodeReport,
): JsonObject | null {
  switch (part.type) {
    case 'thinking':
    case 'redacted_thinking': {
      const item = encodeRequestReasoning(part);
      // OpenAI refuses reasoning that it has not encrypted itself: another model wrote it.
      if (item === null) report.drop('reasoning');
      return item;
    }
    case 'tool_call':
      dropCache(part.cache, report);
      return {
        type: 'function_call',
        call_id: encodeCallId(part.id),
        name: part.name,
        arguments: part.arguments,
      };
    case 'opaque':
      if (part.dialect === 'openai-responses') return { ...part.value };
      return report.refuse(at, `content of the type ${part.name}`);
  }
}

function encodeCallOutput(
  message: Extract<Message, { role: 'tool' }>,
  at: string,
  report: EncodeReport,
): JsonObject {
  dropCache(message.cache, report);
  const output = message.content.flatMap((part, index) => encodePart(part, `${at}.content.${index}`, report));
  if (message.isError) {
    const first = output.find((part) => part['type'] === 'input_text');
    if (first === undefined) output.unshift({ type: 'input_text', text: ERROR_SIGN.trimEnd() });
    else first['text'] = ERROR_SIGN + String(first['text']);
  }
  return { type: 'function_call_output', call_id: encodeCallId(message.callId), output: collapse(output) };
}

/** Writes the id of a call, as the call and its result both have it. */
function encodeCallId(packed: string): string {
  return toBoundedCallId(unpackCallId(packed).id, MAX_CALL_ID);
}

/** One text, which nearly all results are, goes as a string. */
function collapse(output: readonly JsonObject[]): unknown {
  const [first] = output;
  if (first === undefined) return '';
  return output.length === 1 && first['type'] === 'input_text' ? first['text'] : output;
}
