import { MODEL } from '../gateway-fixture.ts';

/** A chat completion: its text, and then 1 kB of log probabilities for each of its tokens. */
export function withLogprobs(tokens: number): string {
  const content = Array.from({ length: tokens }, () => ({ token: 'hello', pad: 'x'.repeat(1_000) }));
  const message = { role: 'assistant', content: 'hello '.repeat(tokens) };
  return JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    model: MODEL,
    choices: [{ index: 0, message, finish_reason: 'stop', logprobs: { content } }],
    usage: { prompt_tokens: 20, completion_tokens: tokens, total_tokens: 20 + tokens },
  });
}
