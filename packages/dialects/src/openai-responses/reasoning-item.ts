import type { RedactedThinkingPart, ThinkingPart } from '@tollgate/core/completion/content';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import {
  isForeignSignature,
  OPENAI_FORMAT,
  SIGNATURE_START,
  encodeSignature,
  decodeSignature,
} from '../thinking-signature.ts';

type ReasoningPart = ThinkingPart | RedactedThinkingPart;

/**
 * Precedes the signatures of Anthropic's models in `encrypted_content`, which clients of this dialect give back
 * unchanged. A value without a mark is OpenAI's own.
 */
const SIGNATURE_MARK = 'thinking.signature:';
const REDACTED_MARK = 'redacted_thinking:';
/** What encrypted reasoning that is not OpenAI's, or not under its first id, begins with. */
export const ENCRYPTED_MARKS: readonly string[] = [SIGNATURE_MARK, REDACTED_MARK, SIGNATURE_START];

/** Between the parts of a summary, which are one text in a reasoning part. */
export const SUMMARY_SEPARATOR = '\n\n';

/**
 * Reads a reasoning item, of a request or of a response
 * (https://platform.openai.com/docs/guides/reasoning#encrypted-reasoning-items).
 * @returns null for an item without text and signature
 */
export function decodeReasoningItem(item: JsonObject): ReasoningPart | null {
  const text = getText(item['summary']) || getText(item['content']);
  return getReasoningPart(text, item['encrypted_content'], item['id']);
}

/** A reasoning part of this text, with the signature of its item. */
export function getReasoningPart(text: string, encrypted: unknown, id: unknown): ReasoningPart | null {
  const sealed = typeof encrypted === 'string' && encrypted !== '' ? encrypted : null;
  if (sealed === null) return text === '' ? null : { type: 'thinking', text, signature: null };
  if (sealed.startsWith(REDACTED_MARK))
    return { type: 'redacted_thinking', data: sealed.slice(REDACTED_MARK.length) };
  if (sealed.startsWith(SIGNATURE_MARK))
    return { type: 'thinking', text, signature: sealed.slice(SIGNATURE_MARK.length) };
  const signature = isForeignSignature(sealed) ? sealed : packOpenAiSignature(sealed, id);
  return text === '' ? { type: 'redacted_thinking', data: signature } : { type: 'thinking', text, signature };
}

function packOpenAiSignature(data: string, id: unknown): string {
  const named = typeof id === 'string' && id !== '' ? { id } : {};
  return encodeSignature({ type: 'reasoning.encrypted', data, ...named, format: OPENAI_FORMAT });
}

function getText(parts: unknown): string {
  return (Array.isArray(parts) ? parts : [])
    .map((part) => asObject(part)?.['text'])
    .filter((text) => typeof text === 'string')
    .join(SUMMARY_SEPARATOR);
}

/** What OpenAI encrypted, and the id that it is bound to; null for another maker's reasoning, or without a signature. */
function findOpenAiSignature(part: ReasoningPart): { data: string; id: string | null } | null {
  const signature = getSignature(part);
  const { format, data, id } = { format: null, data: null, id: null, ...decodeSignature(signature ?? '') };
  if (format !== OPENAI_FORMAT || typeof data !== 'string') return null;
  return { data, id: typeof id === 'string' ? id : null };
}

/**
 * Writes the reasoning item of a response. OpenAI refuses its own reasoning under another id: if the item has one
 * already, the encrypted text goes inside a signature that keeps the first id.
 * @param fallbackId the item's id, if the reasoning has none
 */
export function encodeResponseReasoning(part: ReasoningPart, fallbackId: string): JsonObject {
  const own = findOpenAiSignature(part);
  const item = encodeReasoningItem(part, own?.id ?? fallbackId);
  return own === null || own.id === null ? item : { ...item, encrypted_content: own.data };
}

/** As {@link encodeResponseReasoning}, under an id that was sent before the signature was known. */
export function encodeReasoningItem(part: ReasoningPart, id: string): JsonObject {
  const encrypted = getEncryptedContent(part);
  return {
    id,
    type: 'reasoning',
    summary: getSummary(part),
    ...(encrypted !== null && { encrypted_content: encrypted }),
  };
}

/** Writes reasoning into a request. @returns null if the provider would not recognize it as its own */
export function encodeRequestReasoning(part: ReasoningPart): JsonObject | null {
  const own = findOpenAiSignature(part);
  if (own === null) return null;
  const id = own.id === null ? {} : { id: own.id };
  return { type: 'reasoning', ...id, summary: getSummary(part), encrypted_content: own.data };
}

function getSummary(part: ReasoningPart): JsonObject[] {
  const text = part.type === 'thinking' ? part.text : '';
  return text === '' ? [] : [{ type: 'summary_text', text }];
}

function getSignature(part: ReasoningPart): string | null {
  return part.type === 'thinking' ? part.signature : part.data;
}

function getEncryptedContent(part: ReasoningPart): string | null {
  const signature = getSignature(part);
  if (signature === null || isForeignSignature(signature)) return signature;
  return (part.type === 'thinking' ? SIGNATURE_MARK : REDACTED_MARK) + signature;
}
