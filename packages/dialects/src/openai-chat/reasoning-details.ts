import type { RedactedThinkingPart, ThinkingPart } from '@tollgate/core/completion/content';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { decodeSignature, encodeSignature, isForeignSignature } from '../thinking-signature.ts';

/**
 * The dialect has no place for reasoning. OpenRouter's `reasoning_details` is the member that clients know to
 * give back unchanged, and the official SDKs keep members of a message that they do not know
 * (https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks).
 */
type ReasoningPart = ThinkingPart | RedactedThinkingPart;

/** A reasoning part, and the place among the parts of its message that its `index` names. */
export interface PlacedReasoning {
  index: number | null;
  part: ReasoningPart;
}

const ANTHROPIC_FORMAT = 'anthropic-claude-v1';
const SIGNED_TEXT = 'reasoning.text';

/** Reads the list; entries that stream fragments of one part (same index) become one. */
export function decodeReasoningDetails(value: unknown): PlacedReasoning[] {
  const placed: PlacedReasoning[] = [];
  for (const entry of Array.isArray(value) ? value : []) {
    const detail = asObject(entry);
    if (detail === null) continue;
    const index = typeof detail['index'] === 'number' ? detail['index'] : null;
    const part = decodeReasoningDetail(detail);
    if (part === null) continue;
    const last = placed.at(-1);
    if (
      index !== null &&
      last?.index === index &&
      last.part.type === 'thinking' &&
      part.type === 'thinking'
    ) {
      const text = last.part.text + part.text;
      last.part = { type: 'thinking', text, signature: part.signature ?? last.part.signature };
    } else placed.push({ index, part });
  }
  return placed;
}

/** @returns null for an entry that says nothing */
export function decodeReasoningDetail(detail: JsonObject): ReasoningPart | null {
  if (detail['type'] === 'reasoning.encrypted') {
    const data = detail['data'];
    if (typeof data !== 'string' || data === '') return null;
    return { type: 'redacted_thinking', data: isForeign(detail) ? encodeSignature(detail) : data };
  }
  const text = asString(detail['text']) ?? asString(detail['summary']) ?? '';
  const signature = decodeTextSignature(detail);
  return text === '' && signature === null ? null : { type: 'thinking', text, signature };
}

/** The signature of a text; of another maker than Anthropic, with the members that must go back with it. */
function decodeTextSignature(detail: JsonObject): string | null {
  const signature = asString(detail['signature']);
  // A packed signature stays as it is.
  if (signature === null || !isForeign(detail) || isForeignSignature(signature)) return signature;
  const { text: _text, index: _index, ...rest } = detail;
  return encodeSignature({ ...rest, type: SIGNED_TEXT });
}

const isForeign = ({ format }: JsonObject): boolean =>
  typeof format === 'string' && format !== ANTHROPIC_FORMAT;

/** @param index the place of the part among all parts of the message, so that reasoning between calls keeps its place */
export function encodeReasoningDetail(part: ReasoningPart, index: number): JsonObject {
  if (part.type === 'thinking') {
    const { text, signature } = part;
    const own = signature === null ? null : decodeSignature(signature);
    if (own?.['type'] === SIGNED_TEXT) return { ...own, text, index };
    return { type: SIGNED_TEXT, text, signature, format: ANTHROPIC_FORMAT, index };
  }
  return (
    decodeSignature(part.data) ?? {
      type: 'reasoning.encrypted',
      data: part.data,
      format: ANTHROPIC_FORMAT,
      index,
    }
  );
}

/**
 * The same in an answer. The OpenAI SDK for Python joins the lists of a stream by `index`, and raises if only some entries have
 * one, so entries of other formats get it too.
 */
export function encodeAnsweredDetail(part: ReasoningPart, index: number): JsonObject {
  return { ...encodeReasoningDetail(part, index), index };
}

function asString(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
