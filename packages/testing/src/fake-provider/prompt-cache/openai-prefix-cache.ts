import { createHash } from 'node:crypto';
import { CHARACTERS_PER_TOKEN, countTokens, type CachedInput } from './cached-input.ts';
import { ExpiringSet } from './expiring-set.ts';

const MIN_TOKENS = 1_024;
const STEP_TOKENS = 128;
const LIFE_MS = 5 * 60_000;

/**
 * OpenAI's prompt cache (https://developers.openai.com/api/docs/guides/prompt-caching): every prefix of at least 1,024 tokens, in
 * steps of 128, on the machine that `prompt_cache_key` selects.
 */
export class OpenAiPrefixCache {
  readonly #entries: ExpiringSet;

  constructor(now: () => number) {
    this.#entries = new ExpiringSet(now);
  }

  read(body: Record<string, unknown>): CachedInput {
    const prompt = writePrompt(body);
    const tokens = countTokens(prompt);
    const hashes = listHashes(JSON.stringify([body.model, body.prompt_cache_key]), prompt);
    const missed = hashes.findIndex((hash) => !this.#entries.has(hash));
    const steps = missed < 0 ? hashes.length : missed;
    for (const hash of hashes) this.#entries.keep(hash, LIFE_MS);
    const read = steps * STEP_TOKENS >= MIN_TOKENS ? steps * STEP_TOKENS : 0;
    return { inputTokens: tokens - read, cacheReadTokens: read, cacheWriteTokens: 0 };
  }
}

/** What the model reads, in its order: tools, then the conversation. */
function writePrompt({ tools, functions, instructions, messages, input }: Record<string, unknown>): string {
  const conversation = messages ?? input;
  const turns: unknown[] = Array.isArray(conversation) ? conversation : [conversation];
  return [tools, functions, instructions, ...turns].map((value) => JSON.stringify(value) ?? '').join('\n');
}

/** The hash of the prefix that ends with each whole step. */
function listHashes(key: string, prompt: string): string[] {
  const size = STEP_TOKENS * CHARACTERS_PER_TOKEN;
  const hashes: string[] = [];
  let before = key;
  for (let end = size; end <= prompt.length; end += size) {
    before = createHash('sha256')
      .update(JSON.stringify([before, prompt.slice(end - size, end)]))
      .digest('base64url');
    hashes.push(before);
  }
  return hashes;
}
