import type { Message } from '@tollgate/core/completion/request';
import type { JsonObject } from '../json/parse-object.ts';
import { encodeAssistantPart } from './encode-assistant-part.ts';
import { encodeCacheControl } from './encode-cache-control.ts';
import { encodeContentPart, encodeText } from './encode-content-part.ts';
import type { EncodeReport } from '../encode-report.ts';
import { wrapInstruction } from './system-instruction.ts';
import { toToolUseId } from './tool-use-id.ts';

interface Turn {
  role: 'user' | 'assistant' | 'system';
  content: JsonObject[];
}

export interface EncodedConversation {
  system: JsonObject[];
  turns: Turn[];
}

/**
 * Writes a conversation: the system messages that open it become `system`, messages of the same side become one turn,
 * results of tools become blocks of the user's turn and come first in it, as the provider demands.
 * @param takesSystemInside the model accepts system messages among the others; if not, or if the place is not
 * one that the api allows (after a user's turn, before the assistant's), the instruction goes into the user's turn
 */
export function encodeMessages(
  messages: readonly Message[],
  takesSystemInside: boolean,
  report: EncodeReport,
): EncodedConversation {
  const opening = messages.findIndex((message) => message.role !== 'system');
  const system = messages.slice(0, opening < 0 ? messages.length : opening).flatMap(encodeInstruction);
  // Other dialects accept only instructions; this one requires a turn of the user.
  if (opening < 0)
    return { system: [], turns: system.length === 0 ? [] : [{ role: 'user', content: system }] };
  const turns: Turn[] = [];
  for (let at = opening; at < messages.length; at += 1) {
    const message = messages[at];
    if (message === undefined) break;
    if (message.role !== 'system') {
      append(turns, encodeTurn(message, `messages.${at}`, report));
      continue;
    }
    const content = encodeInstruction(message);
    const next = messages.slice(at).find(({ role }) => role !== 'system')?.role ?? 'assistant';
    const last = turns.at(-1)?.role;
    const fits = takesSystemInside && next === 'assistant' && (last === 'user' || last === 'system');
    append(turns, fits ? { role: 'system', content } : { role: 'user', content: content.map(asUserText) });
  }
  for (const turn of turns) if (turn.role === 'user') turn.content = resultsFirst(turn.content);
  trimPrefill(turns.at(-1));
  return { system, turns };
}

function append(turns: Turn[], turn: Turn): void {
  const last = turns.at(-1);
  if (turn.content.length === 0) return;
  if (last?.role === turn.role) last.content.push(...turn.content);
  else turns.push(turn);
}

function encodeTurn(message: Exclude<Message, { role: 'system' }>, path: string, report: EncodeReport): Turn {
  switch (message.role) {
    case 'user':
      if (message.name !== null) report.drop('name');
      return {
        role: 'user',
        content: written(message.content, (part, index) =>
          encodeContentPart(part, `${path}.content.${index}`, report),
        ),
      };
    case 'assistant':
      if (message.name !== null) report.drop('name');
      return {
        role: 'assistant',
        content: written(message.content, (part, index) =>
          encodeAssistantPart(part, `${path}.content.${index}`, report),
        ),
      };
    case 'tool':
      return { role: 'user', content: [encodeToolResult(message, path, report)] };
  }
}

function encodeToolResult(
  message: Extract<Message, { role: 'tool' }>,
  path: string,
  report: EncodeReport,
): JsonObject {
  const content = written(message.content, (part, index) =>
    encodeContentPart(part, `${path}.content.${index}`, report),
  );
  return {
    type: 'tool_result',
    tool_use_id: toToolUseId(message.callId),
    ...(content.length === 0 ? {} : { content }),
    ...(message.isError ? { is_error: true } : {}),
    ...encodeCacheControl(message.cache),
  };
}

function encodeInstruction(message: Message): JsonObject[] {
  if (message.role !== 'system') return [];
  return written(message.content, encodeText);
}

/** Writes each part, without those parts that `write` leaves out. */
function written<T>(parts: readonly T[], write: (part: T, index: number) => JsonObject | null): JsonObject[] {
  return parts.map((part, index) => write(part, index)).filter((block) => block !== null);
}

function asUserText(block: JsonObject): JsonObject {
  return { ...block, text: wrapInstruction(String(block['text'])) };
}

function resultsFirst(content: readonly JsonObject[]): JsonObject[] {
  const isResult = (block: JsonObject) => block['type'] === 'tool_result';
  return [...content.filter(isResult), ...content.filter((block) => !isResult(block))];
}

/** The answer continues an assistant's turn at the end, which must not end in whitespace. */
function trimPrefill(last: Turn | undefined): void {
  const block = last?.role === 'assistant' ? last.content.at(-1) : undefined;
  if (block?.['type'] === 'text') block['text'] = String(block['text']).trimEnd();
}
