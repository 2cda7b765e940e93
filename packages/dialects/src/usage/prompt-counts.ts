import { asObject, type JsonObject } from '../json/parse-object.ts';
import type { CountReader } from './read-count.ts';

/** One name of a count. */
export interface CountName {
  name: string;
  /** A member of the details of the input. */
  isDetail?: true;
  /** `input_tokens` of the same usage object does not include this count. */
  isApart?: true;
}

/** Members with the details of the input, in the Chat and in the Responses dialect. */
export const DETAILS = ['prompt_tokens_details', 'input_tokens_details'] as const;

/** The counts of the input, under every name that a provider uses; the first one that is set is read. */
export const PROMPT_COUNTS = {
  /** All input, cached input included. */
  prompt: [{ name: 'prompt_tokens' }, { name: 'promptTokens' }, { name: 'promptTokenCount' }],
  /** All input, unless a count below is apart from it. */
  input: [{ name: 'input_tokens' }, { name: 'inputTokens' }],
  cacheRead: [
    { name: 'cached_tokens', isDetail: true },
    // DeepSeek: https://api-docs.deepseek.com/guides/kv_cache
    { name: 'prompt_cache_hit_tokens' },
    { name: 'cached_tokens' },
    // Anthropic, and Bedrock's form of it.
    { name: 'cache_read_input_tokens', isApart: true },
    { name: 'cacheReadInputTokens', isApart: true },
    { name: 'cachedInputTokens' },
    // Gemini.
    { name: 'cachedContentTokenCount' },
  ],
  cacheWrite: [
    { name: 'cache_write_tokens', isDetail: true },
    { name: 'cache_creation_input_tokens', isApart: true },
    { name: 'cacheWriteInputTokens' },
    { name: 'cacheCreationInputTokens' },
  ],
} as const satisfies Record<string, readonly CountName[]>;

/** Members by which cached input is counted apart from the rest; `cache_creation` has the parts of Anthropic's writes. */
export const APART: readonly string[] = [
  ...Object.values(PROMPT_COUNTS).flatMap((names: readonly CountName[]) =>
    names.filter(({ isApart }) => isApart === true).map(({ name }) => name),
  ),
  'cache_creation',
];

/** @returns null if no name of the count is set, or its value cannot be read */
export function readNamed(
  raw: JsonObject,
  counts: CountReader,
  count: keyof typeof PROMPT_COUNTS,
): number | null {
  const names: readonly CountName[] = PROMPT_COUNTS[count];
  for (const { name, isDetail } of names) {
    const value = isDetail === true ? findDetails(raw)?.[name] : raw[name];
    if (value !== undefined && value !== null) return counts.read(value);
  }
  return null;
}

function findDetails(raw: JsonObject): JsonObject | null {
  for (const name of DETAILS) {
    const details = asObject(raw[name]);
    if (details !== null) return details;
  }
  return null;
}
