import type { TokenChance, TokenLogprob } from '@tollgate/core/completion/response';
import { asObject, type JsonObject } from '../json/parse-object.ts';

/**
 * Reads log probabilities, which OpenAI's dialects write alike; what cannot be read is left out
 * (https://platform.openai.com/docs/api-reference/chat/object).
 */
export function decodeTokenLogprobs(value: unknown): TokenLogprob[] {
  return getObjects(value).flatMap((entry) => {
    const chance = decodeChance(entry);
    if (chance === null) return [];
    const alternatives = getObjects(entry['top_logprobs']).flatMap((other) => decodeChance(other) ?? []);
    return [{ ...chance, alternatives }];
  });
}

/** Reads the `logprobs` of a choice: those of its text. */
export function decodeChoiceLogprobs(choice: JsonObject): TokenLogprob[] {
  return decodeTokenLogprobs(asObject(choice['logprobs'])?.['content']);
}

function encodeTokenLogprobs(tokens: readonly TokenLogprob[]): JsonObject[] {
  return tokens.map(({ alternatives, ...chance }) => ({
    ...chance,
    top_logprobs: alternatives.map((other) => ({ ...other })),
  }));
}

/** Writes the `logprobs` of a choice; null if it has none. */
export function encodeChoiceLogprobs(tokens: readonly TokenLogprob[]): JsonObject | null {
  return tokens.length === 0 ? null : { content: encodeTokenLogprobs(tokens), refusal: null };
}

function decodeChance({ token, logprob, bytes }: JsonObject): TokenChance | null {
  if (typeof token !== 'string' || typeof logprob !== 'number') return null;
  const isTold = Array.isArray(bytes) && bytes.every((byte) => typeof byte === 'number');
  return { token, logprob, bytes: isTold ? bytes : null };
}

function getObjects(value: unknown): JsonObject[] {
  const entries: unknown[] = Array.isArray(value) ? value : [];
  return entries.map(asObject).filter((entry) => entry !== null);
}
