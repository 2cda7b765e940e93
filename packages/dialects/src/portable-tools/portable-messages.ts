import type { AssistantPart, OpaquePart, UserPart } from '@tollgate/core/completion/content';
import type { Message } from '@tollgate/core/completion/request';
import type { Dialect } from '@tollgate/core/models/dialect';
import { decodeCacheControl } from '../anthropic-messages/decode-cache-control.ts';
import type { EncodeReport } from '../encode-report.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { textPart } from '../openai-responses/decode-part.ts';
import { callOfItem, getCallId } from './call-of-item.ts';
import { resultOfItem } from './result-of-item.ts';
import { toShortName } from './short-names.ts';
import { summarizedMessages } from './summarized-messages.ts';
import { getText } from './text-of.ts';

/**
 * Calls of tools that the provider ran itself, with their results and what it listed for them: another model needs its own. The
 * text of the answer that used them stays.
 */
const HOSTED_ITEM =
  /^(?:web_search|file_search|code_interpreter|image_generation|mcp|computer|tool_search|shell)_(?:call|list_tools|approval_request|approval_response)$|^mcp_|^(?:computer_call_output|shell_call_output|tool_search_output|program|program_output)$/;
const HOSTED_BLOCK = /^(?:server_tool_use|mcp_tool_use|mcp_tool_listing|fallback|compaction)$|_tool_result$/;

interface Rewriting {
  target: Dialect;
  report: EncodeReport;
  /** Ids of calls that were dropped so far: their results are, too. */
  droppedCalls: Set<string>;
}

/** Rewrites the messages of a request for a provider of another dialect: see `portable-request.ts`. */
export function portableMessages(
  messages: readonly Message[],
  target: Dialect,
  report: EncodeReport,
): Message[] {
  const written: Message[] = [];
  const rewriting = { target, report, droppedCalls: new Set<string>() };
  for (const message of target === 'anthropic-messages' ? messages : summarizedMessages(messages)) {
    for (const portable of portableMessage(message, rewriting)) {
      const last = written.at(-1);
      // Between two parts of one turn there was an item that became a message, or none.
      if (portable.role === 'assistant' && last?.role === 'assistant') last.content.push(...portable.content);
      else written.push(portable);
    }
  }
  return written;
}

function portableMessage(message: Message, rewriting: Rewriting): Message[] {
  const { target } = rewriting;
  const isForeign = (part: { type: string; dialect?: string }) =>
    part.type === 'opaque' && part.dialect !== target;
  switch (message.role) {
    case 'system':
      return [message];
    case 'tool': {
      if (!message.content.some(isForeign)) return [message];
      const content = message.content.flatMap((part) =>
        part.type === 'opaque' && isForeign(part) ? portableContent(part, target) : [part],
      );
      return [{ ...message, content }];
    }
    case 'assistant': {
      const content = message.content.flatMap((part) =>
        part.type === 'opaque' && isForeign(part) ? portableMade(part, rewriting) : [part],
      );
      return content.length === 0 ? [] : [{ ...message, content }];
    }
    case 'user':
      return message.content.some(isForeign) ? portableUser(message, rewriting) : [message];
  }
}

/** An item of the caller is a separate message of the canonical request, or of a tool. */
function portableUser(
  message: Extract<Message, { role: 'user' }>,
  { target, report, droppedCalls }: Rewriting,
): Message[] {
  const written: Message[] = [];
  let content: UserPart[] = [];
  const close = () => {
    if (content.length > 0) written.push({ ...message, content });
    content = [];
  };
  for (const part of message.content) {
    if (part.type !== 'opaque' || part.dialect === target) {
      content.push(part);
      continue;
    }
    const isItem = part.dialect === 'openai-responses';
    const result = isItem && !droppedCalls.has(getCallId(part.value)) ? resultOfItem(part.value) : null;
    if (result !== null) {
      close();
      written.push(result);
    } else if (part.name === 'additional_tools') continue;
    else if (isItem && HOSTED_ITEM.test(part.name)) report.drop(part.name);
    else content.push(...portableContent(part, target));
  }
  close();
  return written;
}

/** @returns nothing for what is left out; the part itself if the encoder must refuse it */
function portableMade(part: OpaquePart, { report, droppedCalls }: Rewriting): AssistantPart[] {
  const call = part.dialect === 'openai-responses' ? callOfItem(part.value) : null;
  if (call !== null) return [call];
  const hosted = part.dialect === 'openai-responses' ? HOSTED_ITEM : HOSTED_BLOCK;
  if (!hosted.test(part.name)) return [part];
  droppedCalls.add(getCallId(part.value));
  report.drop(part.name);
  return [];
}

/** What other dialects have no block for, as text: a search result, and a tool that the client's search has found. */
function portableContent<Part extends OpaquePart>(part: Part, target: Dialect) {
  const text = part.dialect === 'anthropic-messages' ? describeContent(part, target) : null;
  if (text === null) return [part];
  const cache = decodeCacheControl(part.value['cache_control']);
  return text === '' ? [] : [{ ...textPart(text), cache }];
}

/** @returns null for content that no text can stand for */
function describeContent({ name, value }: OpaquePart, target: Dialect): string | null {
  switch (name) {
    case 'search_result':
      return describeSearchResult(value);
    case 'tool_reference': {
      const tool = getText(value['tool_name']);
      return `The tool ${target === 'openai-chat' ? toShortName(tool) : tool} can be called now.`;
    }
    default:
      return null;
  }
}

function describeSearchResult({ title, source, content }: JsonObject): string {
  const texts = (Array.isArray(content) ? content : [])
    .map((block) => asObject(block)?.['text'])
    .filter((text) => typeof text === 'string');
  return [describeSource({ title, source }), ...texts].filter((each) => each !== '').join('\n\n');
}

function describeSource({ title, source }: JsonObject): string {
  return [title, source].filter((text) => typeof text === 'string' && text !== '').join('\n');
}
