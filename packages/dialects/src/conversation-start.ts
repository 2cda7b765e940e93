import { hashLines } from '@tollgate/core/runtime/hash-text';
import { asObject, type JsonObject } from './json/parse-object.ts';

/** Of each of the two texts: characters from its begin and from its end. */
const HEAD = 1024;
const TAIL = 256;
/** The first message of the user is searched among so many. */
const MAX_MESSAGES = 8;

/**
 * Hashes what stays the same in all requests of one conversation: the beginning of the instructions and of the first message of
 * the user, in any dialect.
 * @returns null if it has no such message
 */
export function hashConversationStart(body: JsonObject): number | null {
  const conversation = body['messages'] ?? body['input'];
  const first = typeof conversation === 'string' ? conversation : findFirst(conversation, 'user');
  if (first === null) return null;
  const instructions = body['system'] ?? body['instructions'] ?? findInstructions(conversation);
  return hashLines(sample(instructions), sample(first));
}

function findInstructions(conversation: unknown): unknown {
  return findFirst(conversation, 'system') ?? findFirst(conversation, 'developer');
}

function findFirst(conversation: unknown, role: string): unknown {
  if (!Array.isArray(conversation)) return null;
  for (let at = 0; at < conversation.length && at < MAX_MESSAGES; at += 1) {
    const message = asObject(conversation[at]);
    if (message?.['role'] === role) return message['content'] ?? null;
  }
  return null;
}

/** The beginning, the end and the length of a content: a text, or a list of parts with texts. */
function sample(content: unknown): string {
  if (typeof content === 'string') return sampleText(content);
  if (!Array.isArray(content)) return '';
  let text = '';
  for (let at = 0; at < content.length && text.length < HEAD; at += 1) {
    const part = asObject(content[at])?.['text'];
    if (typeof part === 'string') text += sampleText(part);
  }
  return text;
}

function sampleText(text: string): string {
  return text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}${text.length}${text.slice(-TAIL)}`;
}
