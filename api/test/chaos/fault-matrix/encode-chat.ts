import type { Encoded } from './encoded.ts';
import type { Said } from './said.ts';
import { getText } from './said.ts';

const HEAD = { id: 'chatcmpl-matrix1', created: 1_764_200_000, model: 'matrix' };

/** A correct response of OpenAI's chat completions. */
export function encodeChat(said: Said): Encoded {
  const { calls, input, output } = said;
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  const reason = calls.length === 0 ? 'stop' : 'tool_calls';
  const chunk = (choices: object[], reported: object | null = null) =>
    write({ ...HEAD, object: 'chat.completion.chunk', choices, usage: reported });
  const delta = (given: object, finish: string | null = null) =>
    chunk([{ index: 0, delta: given, logprobs: null, finish_reason: finish }]);
  const message = {
    role: 'assistant',
    content: getText(said),
    refusal: null,
    ...(calls.length > 0 && { tool_calls: calls.map(toCall) }),
  };
  return {
    body: {
      ...HEAD,
      object: 'chat.completion',
      choices: [{ index: 0, message, logprobs: null, finish_reason: reason }],
      usage,
    },
    events: [
      delta({ role: 'assistant', content: '' }),
      ...said.pieces.map((content) => delta({ content })),
      ...calls.map((call, index) => delta({ tool_calls: [{ index, ...toCall(call) }] })),
      delta({}, reason),
      chunk([], usage),
      'data: [DONE]\n\n',
    ],
  };
}

function toCall({ id, name, arguments: json }: Said['calls'][number]): object {
  return { id, type: 'function', function: { name, arguments: json } };
}

function write(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
