import { Buffer } from 'node:buffer';
import type { AssistantPart, RedactedThinkingPart, ThinkingPart } from '@tollgate/core/completion/content';
import { countValues } from './json/count-values.ts';
import { parseJsonObject, type JsonObject } from './json/parse-object.ts';

/**
 * Reasoning is only accepted back by the maker of the model that wrote it. Anthropic's signatures (and redacted data)
 * are stored as they are; other makers' signatures carry a mark and every member that must go back with them, so that
 * they survive any dialect that keeps a string unchanged, without the gateway keeping anything.
 */
export const SIGNATURE_START = 'reasoning.encrypted:';
/** More than `encodeSignature` packs: a caller can write anything there. */
const MAX_SIGNATURE_VALUES = 1_000;
/** The formats that OpenRouter gives to signatures (https://openrouter.ai/docs/use-cases/reasoning-tokens). */
export const OPENAI_FORMAT = 'openai-responses-v1';

/** Packs a signature that is not Anthropic's, as an entry of `reasoning_details` has it: `format`, `data`, `id`. */
export function encodeSignature(detail: JsonObject): string {
  return SIGNATURE_START + Buffer.from(JSON.stringify(detail)).toString('base64');
}

/** @returns the members that were packed; null for Anthropic's signature, and for one that cannot be read */
export function decodeSignature(signature: string): JsonObject | null {
  if (!isForeignSignature(signature)) return null;
  const json = Buffer.from(signature.slice(SIGNATURE_START.length), 'base64').toString('utf8');
  return countValues(json, MAX_SIGNATURE_VALUES) > MAX_SIGNATURE_VALUES ? null : parseJsonObject(json);
}

/** True for a signature that is not Anthropic's. */
export function isForeignSignature(signature: string): boolean {
  return signature.startsWith(SIGNATURE_START);
}

export const isReasoning = (part: AssistantPart): part is ThinkingPart | RedactedThinkingPart =>
  part.type === 'thinking' || part.type === 'redacted_thinking';

/** True for reasoning that Anthropic accepts back: it wrote its signature. */
export function isOwnReasoning(part: ThinkingPart | RedactedThinkingPart): boolean {
  const signature = part.type === 'thinking' ? part.signature : part.data;
  return signature !== null && !isForeignSignature(signature);
}

/** Hashes and UUIDs. Anthropic's signatures are base64, and longer. */
const OTHER_MAKERS = /^[\da-f-]{16,128}$/;

/** True for a signature of another model that speaks Anthropic's dialect, in which it has no mark. */
export function isOtherMakers(signature: string): boolean {
  return OTHER_MAKERS.test(signature);
}
