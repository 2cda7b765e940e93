import type { CompletionRequest } from './parse-completion-request.ts';
import type { ScriptWriter } from './script.ts';

export interface MeteredModelOptions {
  /** Delay before the first byte of a response. */
  thinkMs: number;
  /** Words of a response, each a piece of a stream of several tokens. */
  pieces: number;
  /** Interval between pieces. */
  intervalMs: number;
}

/** More bytes than a token of any tokenizer, so that counts stay below any hold. */
const BYTES_PER_TOKEN = 8;
const UNASKED_MAX = 400;
const SHARES = 1_000;

/**
 * A model with realistic usage: the output depends on the prompt, from a twentieth to nine tenths of the requested
 * maximum. The same prompt always uses the same number of tokens.
 */
export function createMeteredModel({ thinkMs, pieces, intervalMs }: MeteredModelOptions): ScriptWriter {
  return (request) => {
    const prompt = getPrompt(request);
    const share = 50 + (computeHash(prompt) % 850);
    const outputTokens = Math.max(1, Math.floor((getMaxTokens(request) * share) / SHARES));
    const usage = {
      inputTokens: 1 + Math.floor(Buffer.byteLength(prompt) / BYTES_PER_TOKEN),
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      cacheWrite1hTokens: 0,
      outputTokens,
    };
    const words = Math.min(pieces, outputTokens);
    return { answer: { words, usage }, headersDelayMs: thinkMs, intervalMs };
  };
}

function getPrompt({ body, messages }: CompletionRequest): string {
  return messages.length > 0 ? JSON.stringify(messages) : JSON.stringify(body.input ?? '');
}

/** Each dialect names it differently. */
function getMaxTokens({ body }: CompletionRequest): number {
  const named = [body.max_completion_tokens, body.max_output_tokens, body.max_tokens];
  return named.find((value) => typeof value === 'number') ?? UNASKED_MAX;
}

/** FNV-1a (https://datatracker.ietf.org/doc/html/draft-eastlake-fnv), mixed once more, so that similar prompts differ. */
function computeHash(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** A prompt with a marker, to find the request's metered usage. */
export function markPrompt(marker: string): string {
  return `Please answer the call <${marker}> in your own words.`;
}

/** @returns the marker in a request body of any dialect; null: none */
export function findMarker(body: Buffer): string | null {
  return /Please answer the call <([\w.-]+)>/.exec(body.toString('utf8'))?.[1] ?? null;
}
