import type { TokenUsage } from '@tollgate/core/money/money';
import type { EncodedChunk } from './encoded-chunk.ts';
import type { Completion } from './generate-answer.ts';

const CREATED = 1_760_000_000;

/** https://platform.openai.com/docs/api-reference/chat/object */
export function encodeOpenaiBody(completion: Completion): EncodedChunk[] {
  const { toolCall } = completion;
  const message = {
    role: 'assistant',
    content: toolCall === null ? completion.words.join('') : null,
    ...(toolCall !== null && {
      tool_calls: [
        {
          id: `call_${completion.id}`,
          type: 'function',
          function: { name: toolCall.name, arguments: toolCall.argumentsJson },
        },
      ],
    }),
    refusal: null,
  };
  const body = {
    id: `chatcmpl-${completion.id}`,
    object: 'chat.completion',
    created: CREATED,
    model: completion.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: getFinishReason(completion) }],
    ...(completion.usage !== null && { usage: encodeUsage(completion.usage) }),
    service_tier: 'default',
    system_fingerprint: null,
  };
  const outputTokens = completion.words.length;
  return [
    { bytes: Buffer.from(`${JSON.stringify(body, null, 2)}\n`), outputTokens, usage: completion.usage },
  ];
}

/** https://platform.openai.com/docs/api-reference/chat-streaming */
export function encodeOpenaiStream(completion: Completion, includesUsage: boolean): EncodedChunk[] {
  const reportsUsage = includesUsage && completion.usage !== null;
  const event = (choices: unknown[], usage: TokenUsage | null = null) => {
    const chunk = {
      id: `chatcmpl-${completion.id}`,
      object: 'chat.completion.chunk',
      created: CREATED,
      model: completion.model,
      choices,
      ...(reportsUsage && { usage: usage === null ? null : encodeUsage(usage) }),
    };
    return Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const delta = (content: unknown, finishReason: string | null = null) =>
    event([{ index: 0, delta: content, logprobs: null, finish_reason: finishReason }]);
  const silent = (bytes: Buffer) => ({ bytes, outputTokens: 0, usage: null });
  return [
    silent(delta({ role: 'assistant', content: completion.toolCall === null ? '' : null })),
    ...completion.words.map((word) => ({
      bytes: delta({ content: word }),
      outputTokens: 1,
      usage: null,
    })),
    ...getToolDeltas(completion).map((content) => silent(delta(content))),
    silent(delta({}, getFinishReason(completion))),
    ...(reportsUsage
      ? [{ bytes: event([], completion.usage), outputTokens: 0, usage: completion.usage }]
      : []),
    silent(Buffer.from('data: [DONE]\n\n')),
  ];
}

function getToolDeltas({ id, toolCall }: Completion): unknown[] {
  if (toolCall === null) return [];
  const opening = {
    index: 0,
    id: `call_${id}`,
    type: 'function',
    function: { name: toolCall.name, arguments: '' },
  };
  const pieces = toolCall.argumentsJson.match(/.{1,8}/gs) ?? [];
  return [
    { tool_calls: [opening] },
    ...pieces.map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
  ];
}

function getFinishReason(completion: Completion): string {
  return completion.toolCall === null ? 'stop' : 'tool_calls';
}

/** OpenAI's `prompt_tokens` include cached tokens. */
function encodeUsage(usage: TokenUsage): unknown {
  const promptTokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: promptTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cacheReadTokens, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
}
