import type { EncodeReport } from '../encode-report.ts';
import type { Message } from '@tollgate/core/completion/request';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { encodeAssistantMessage, encodeCallId } from './encode-assistant.ts';
import { encodeCache, encodeUserPart } from './encode-part.ts';

/** What messages are written with. */
export interface MessageContext {
  report: EncodeReport;
  /** The id of a call as the provider is sent it, for texts that name the call. */
  fitCallId: (id: string) => string;
}

type ToolMessage = Extract<Message, { role: 'tool' }>;

/**
 * Writes a conversation. Results of tools can contain only text here: their images and files follow, in a message of the
 * user behind the last result of the turn.
 */
export function encodeMessages(messages: readonly Message[], context: MessageContext): JsonObject[] {
  const written: JsonObject[] = [];
  let media: JsonObject[] = [];
  for (const [index, message] of messages.entries()) {
    const at = `messages.${index}`;
    if (message.role !== 'tool' && media.length > 0) {
      written.push({ role: 'user', content: media });
      media = [];
    }
    if (message.role === 'tool') {
      const result = encodeToolResult(message, at, context);
      written.push(result.message);
      media.push(...result.media);
    } else written.push(encodeMessage(message, at, context));
  }
  if (media.length > 0) written.push({ role: 'user', content: media });
  return written;
}

function encodeMessage(
  message: Exclude<Message, ToolMessage>,
  at: string,
  { report }: MessageContext,
): JsonObject {
  switch (message.role) {
    case 'system': {
      const content = message.content.map(({ text, cache }) => ({
        type: 'text',
        text,
        ...encodeCache(cache),
      }));
      return { role: message.kind, content };
    }
    case 'user': {
      const parts = message.content.flatMap((part, index) =>
        encodeUserPart(part, `${at}.content.${index}`, report),
      );
      const name = message.name === null ? {} : { name: message.name };
      return { role: 'user', ...name, content: parts };
    }
    case 'assistant':
      return encodeAssistantMessage(message.content, { name: message.name, at, report });
  }
}

/** The dialect has no sign for a result that is an error: its text says so. */
const ERROR_SIGN = 'Error: ';

function encodeToolResult(message: ToolMessage, at: string, { report, fitCallId }: MessageContext) {
  const callId = encodeCallId(message.callId);
  const texts: JsonObject[] = [];
  const media: JsonObject[] = [];
  for (const [index, part] of message.content.entries()) {
    for (const written of encodeUserPart(part, `${at}.content.${index}`, report))
      (written['type'] === 'text' ? texts : media).push(written);
  }
  if (media.length > 0) {
    texts.push({ type: 'text', text: '(What else it returned follows in the next message of the user.)' });
    media.unshift({
      type: 'text',
      text: `Returned by the tool call ${fitCallId(callId)}:`,
    });
  }
  if (message.isError) {
    const [first] = texts;
    if (first === undefined) texts.push({ type: 'text', text: ERROR_SIGN.trimEnd() });
    else first['text'] = ERROR_SIGN + String(first['text']);
  }
  return {
    message: { role: 'tool', tool_call_id: callId, content: texts, ...encodeCache(message.cache) },
    media,
  };
}

/** One plain text is sent as a string, which every provider takes. */
export function collapseText(message: JsonObject): JsonObject {
  const { content } = message;
  if (!Array.isArray(content)) return message;
  const [first] = content.map(asObject);
  if (first === undefined) return { ...message, content: '' };
  const isPlain = content.length === 1 && first?.['type'] === 'text' && Object.keys(first).length === 2;
  return isPlain ? { ...message, content: first['text'] } : message;
}
