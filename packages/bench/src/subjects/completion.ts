import { NO_USAGE, type TokenPrices } from '@tollgate/core/money/money';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';

/** A request for a whole answer. */
export function encodeRequest(model: string): string {
  return JSON.stringify({
    model,
    messages: [
      { role: 'system', content: 'You are a helpful assistant.' },
      { role: 'user', content: 'Say something about a fox.' },
    ],
    max_tokens: 64,
  });
}

/** The request of the throughput part and the answer to it, the same for all subjects. */
export const REQUEST_BODY = encodeRequest('bench-model');

/** The text of the last chunk of a stream. */
export const LAST_CHUNK_TEXT = 'the lazy dog.';
const CONTENT = 'The quick brown fox jumps over the lazy dog.';

const ANSWER = {
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1767225600,
  model: 'bench-model',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: CONTENT, refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 23, completion_tokens: 10, total_tokens: 33 },
};
export const ANSWER_BODY = JSON.stringify(ANSWER);

/** The answer with another number of input tokens: one that is too small for its request would be billed at the amount on hold. */
export function encodeAnswer(promptTokens: number): string {
  const usage = { prompt_tokens: promptTokens, completion_tokens: 10, total_tokens: promptTokens + 10 };
  return JSON.stringify({ ...ANSWER, usage });
}

/** What every model of the benchmark costs. */
export const PRICES: TokenPrices = {
  inputNanoUsdPerMtok: 2_500_000_000n,
  outputNanoUsdPerMtok: 10_000_000_000n,
  cacheReadNanoUsdPerMtok: null,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
};

/** What is to be billed for the answer. */
export const ANSWER_COST_NANO_USD = computeCost({ ...NO_USAGE, inputTokens: 23, outputTokens: 10 }, PRICES);

/**
 * Sends a request once and makes sure that the provider's answer comes back, to its end.
 * @throws Error where it does not: a gateway that answers errors quickly must not win
 */
export async function checkAnswer(
  name: string,
  baseUrl: string,
  headers: Record<string, string>,
  body = REQUEST_BODY,
): Promise<void> {
  const answer = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  const text = await answer.text();
  const isWhole =
    text.includes(CONTENT) || (text.includes(LAST_CHUNK_TEXT) && text.endsWith('data: [DONE]\n\n'));
  if (answer.status !== 200 || !isWhole)
    throw new Error(`${name} answered ${answer.status}: ${text.slice(0, 400)}`);
}
