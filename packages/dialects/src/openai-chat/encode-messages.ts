import type { Message } from '@tollgate/core/completion/request';
import type { JsonObject } from '../json/parse-object.ts';
import { collapseText, encodeAssistantMessage, encodeCallId } from './encode-assistant.ts';
import type { EncodeNotes } from './encode-notes.ts';
import { encodeCache, encodeUserPart } from './encode-part.ts';

type ToolMessage = Extract<Message, { role: 'tool' }>;

/**
 * Writes a conversation. Results of tools can hold text alone here: their images and files follow, in a message of the
 * user behind the last result of the turn.
 */
export function encodeMessages(messages: readonly Message[], notes: EncodeNotes): JsonObject[] {
  const written: JsonObject[] = [];
  let media: JsonObject[] = [];
  for (const [index, message] of messages.entries()) {
    const at = `messages.${index}`;
    if (message.role !== 'tool' && media.length > 0) {
      written.push({ role: 'user', content: media });
      media = [];
    }
    if (message.role === 'tool') {
      const result = encodeToolResult(message, at, notes);
      written.push(result.message);
      media.push(...result.media);
    } else written.push(encodeMessage(message, at, notes));
  }
  if (media.length > 0) written.push({ role: 'user', content: media });
  return written;
}

function encodeMessage(message: Exclude<Message, ToolMessage>, at: string, notes: EncodeNotes): JsonObject {
  switch (message.role) {
    case 'system': {
      const role = notes.quirks.developerRole === 'none' ? 'system' : message.kind;
      const parts = message.content.map(({ text, cache }) => ({
        type: 'text',
        text,
        ...encodeCache(cache, notes),
      }));
      return { role, content: collapseText(parts, notes) };
    }
    case 'user': {
      const parts = message.content.flatMap((part, index) =>
        encodeUserPart(part, `${at}.content.${index}`, notes),
      );
      const name = message.name === null ? {} : { name: message.name };
      return { role: 'user', ...name, content: collapseText(parts, notes) };
    }
    case 'assistant':
      return encodeAssistantMessage(message.content, { name: message.name, at, notes });
  }
}

/** The dialect has no sign for a result that is an error: its text says so. */
const ERROR_SIGN = 'Error: ';

function encodeToolResult(message: ToolMessage, at: string, notes: EncodeNotes) {
  const texts: JsonObject[] = [];
  const media: JsonObject[] = [];
  for (const [index, part] of message.content.entries()) {
    for (const written of encodeUserPart(part, `${at}.content.${index}`, notes))
      (written['type'] === 'text' ? texts : media).push(written);
  }
  if (media.length > 0) {
    texts.push({ type: 'text', text: '(What else it returned follows in the next message of the user.)' });
    media.unshift({
      type: 'text',
      text: `Returned by the tool call ${encodeCallId(message.callId, notes)}:`,
    });
  }
  if (message.isError) {
    const [first] = texts;
    if (first === undefined) texts.push({ type: 'text', text: ERROR_SIGN.trimEnd() });
    else first['text'] = ERROR_SIGN + String(first['text']);
  }
  const content = collapseText(texts, notes);
  const callId = encodeCallId(message.callId, notes);
  return {
    message: { role: 'tool', tool_call_id: callId, content, ...encodeCache(message.cache, notes) },
    media,
  };
}
