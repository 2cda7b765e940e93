import { LAST_CHUNK_TEXT } from './completion.ts';
import { RESPONSE_HEAD } from '../streams/event.ts';

const SSE_CHUNKS = 60;
const MODEL = 'bench-stream';

export const STREAM_REQUEST = JSON.stringify({
  model: MODEL,
  stream: true,
  messages: [
    { role: 'system', content: 'You are a helpful assistant.' },
    { role: 'user', content: 'Say something about a fox.' },
  ],
  max_tokens: 64,
});

/** The whole response of a stream as it goes over the wire. */
export function encodeSseAnswer(): string {
  const frame = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const event = (data: object) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1767225600, model: MODEL, ...data })}\n\n`;
  const choice = (delta: object, reason: string | null) =>
    event({ choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }] });
  const chunks = Array.from({ length: SSE_CHUNKS }, (_, index) =>
    choice(
      {
        ...(index === 0 ? { role: 'assistant' } : {}),
        content: index === SSE_CHUNKS - 1 ? LAST_CHUNK_TEXT : ` word${index}`,
      },
      null,
    ),
  );
  const usage = { prompt_tokens: 23, completion_tokens: 2 * SSE_CHUNKS, total_tokens: 23 + 2 * SSE_CHUNKS };
  const all = [...chunks, choice({}, 'stop'), event({ choices: [], usage }), 'data: [DONE]\n\n'];
  return `${RESPONSE_HEAD}${all.map(frame).join('')}0\r\n\r\n`;
}
