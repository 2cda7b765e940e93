import type { RedactedThinkingPart, ThinkingPart } from '@tollgate/core/completion/content';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import {
  isForeignSignature,
  OPENAI_FORMAT,
  encodeSignature,
  decodeSignature,
} from '../thinking-signature.ts';

type Thought = ThinkingPart | RedactedThinkingPart;

/**
 * Before the proofs of Anthropic's models in `encrypted_content`, which clients of this dialect give back unchanged. What
 * has no mark is OpenAI's own.
 */
const SIGNATURE_MARK = 'thinking.signature:';
const REDACTED_MARK = 'redacted_thinking:';

/** Between the parts of a summary, of which a thought is one text. */
export const SUMMARY_SEPARATOR = '\n\n';

/**
 * Reads a reasoning item, of a request or of an answer
 * (https://platform.openai.com/docs/guides/reasoning#encrypted-reasoning-items).
 * @returns null for an item that says and proves nothing
 */
export function decodeReasoningItem(item: JsonObject): Thought | null {
  const text = textOf(item['summary']) || textOf(item['content']);
  return thoughtOf(text, item['encrypted_content'], item['id']);
}

/** A thought of this text, with the proof that its item carries. */
export function thoughtOf(text: string, encrypted: unknown, id: unknown): Thought | null {
  const sealed = typeof encrypted === 'string' && encrypted !== '' ? encrypted : null;
  if (sealed === null) return text === '' ? null : { type: 'thinking', text, signature: null };
  if (sealed.startsWith(REDACTED_MARK))
    return { type: 'redacted_thinking', data: sealed.slice(REDACTED_MARK.length) };
  if (sealed.startsWith(SIGNATURE_MARK))
    return { type: 'thinking', text, signature: sealed.slice(SIGNATURE_MARK.length) };
  const proof = isForeignSignature(sealed) ? sealed : packOpenAiProof(sealed, id);
  return text === ''
    ? { type: 'redacted_thinking', data: proof }
    : { type: 'thinking', text, signature: proof };
}

function packOpenAiProof(data: string, id: unknown): string {
  const named = typeof id === 'string' && id !== '' ? { id } : {};
  return encodeSignature({ type: 'reasoning.encrypted', data, ...named, format: OPENAI_FORMAT });
}

function textOf(parts: unknown): string {
  return (Array.isArray(parts) ? parts : [])
    .map((part) => asObject(part)?.['text'])
    .filter((text) => typeof text === 'string')
    .join(SUMMARY_SEPARATOR);
}

/** What OpenAI sealed, and the id that it is bound to; null for a thought of another maker, or without a proof. */
function findOpenAiSignature(part: Thought): { data: string; id: string | null } | null {
  const proof = proofOf(part);
  const { format, data, id } = { format: null, data: null, id: null, ...decodeSignature(proof ?? '') };
  if (format !== OPENAI_FORMAT || typeof data !== 'string') return null;
  return { data, id: typeof id === 'string' ? id : null };
}

/**
 * Writes the reasoning item of an answer. OpenAI refuses its own reasoning under another id: where the item has one
 * already, the sealed text goes inside a proof that keeps the first id.
 * @param fallbackId the item's id, where the thought brings none
 */
export function encodeAnswerThought(part: Thought, fallbackId: string): JsonObject {
  const own = findOpenAiSignature(part);
  const item = encodeThought(part, own?.id ?? fallbackId);
  return own === null || own.id === null ? item : { ...item, encrypted_content: own.data };
}

/** As {@link encodeAnswerThought}, under an id that has been told before the proof was known. */
export function encodeThought(part: Thought, id: string): JsonObject {
  return {
    id,
    type: 'reasoning',
    summary: summaryOf(part),
    encrypted_content: sealedProof(part),
  };
}

/** Writes a thought into a request. @returns null where the provider would not know it as its own */
export function encodeRequestThought(part: Thought): JsonObject | null {
  const own = findOpenAiSignature(part);
  if (own === null) return null;
  const id = own.id === null ? {} : { id: own.id };
  return { type: 'reasoning', ...id, summary: summaryOf(part), encrypted_content: own.data };
}

function summaryOf(part: Thought): JsonObject[] {
  const text = part.type === 'thinking' ? part.text : '';
  return text === '' ? [] : [{ type: 'summary_text', text }];
}

function proofOf(part: Thought): string | null {
  return part.type === 'thinking' ? part.signature : part.data;
}

function sealedProof(part: Thought): string | null {
  const proof = proofOf(part);
  if (proof === null || isForeignSignature(proof)) return proof;
  return (part.type === 'thinking' ? SIGNATURE_MARK : REDACTED_MARK) + proof;
}
