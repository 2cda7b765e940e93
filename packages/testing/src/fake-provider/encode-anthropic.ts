import type { TokenUsage } from '@tollgate/core/money/money';
import type { EncodedChunk } from './encoded-chunk.ts';
import type { Completion } from './generate-answer.ts';

/** https://docs.anthropic.com/en/api/messages */
export function encodeAnthropicBody(completion: Completion): EncodedChunk[] {
  const { toolCall, usage } = completion;
  const content =
    toolCall === null
      ? { type: 'text', text: completion.words.join('') }
      : { ...openToolUse(completion.id, toolCall.name), input: JSON.parse(toolCall.argumentsJson) };
  const body = {
    id: `msg_${completion.id}`,
    type: 'message',
    role: 'assistant',
    model: completion.model,
    content: [content],
    stop_reason: getStopReason(completion),
    stop_sequence: null,
    ...(usage !== null && { usage: encodeUsage(usage) }),
  };
  return [{ bytes: Buffer.from(JSON.stringify(body)), outputTokens: completion.words.length, usage }];
}

/** https://docs.anthropic.com/en/docs/build-with-claude/streaming */
export function encodeAnthropicStream(completion: Completion): EncodedChunk[] {
  const { usage } = completion;
  const started = usage === null ? null : { ...usage, outputTokens: 1 };
  const message = {
    id: `msg_${completion.id}`,
    type: 'message',
    role: 'assistant',
    model: completion.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...(started !== null && { usage: encodeUsage(started) }),
  };
  const ending = {
    delta: { stop_reason: getStopReason(completion), stop_sequence: null },
    ...(usage !== null && { usage: { output_tokens: usage.outputTokens } }),
  };
  return [
    { ...event('message_start', { message }), usage: started },
    ...(completion.toolCall === null
      ? textEvents(completion)
      : toolEvents(completion.id, completion.toolCall)),
    event('content_block_stop', { index: 0 }),
    { ...event('message_delta', ending), usage },
    event('message_stop', {}),
  ];
}

function textEvents(completion: Completion): EncodedChunk[] {
  return [
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    event('ping', {}),
    ...completion.words.map((text) => ({
      ...event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
      outputTokens: 1,
    })),
  ];
}

const openToolUse = (id: string, name: string) => ({ type: 'tool_use', id: `toolu_${id}`, name, input: {} });

function toolEvents(id: string, toolCall: { name: string; argumentsJson: string }): EncodedChunk[] {
  const block = openToolUse(id, toolCall.name);
  const pieces = ['', ...(toolCall.argumentsJson.match(/.{1,8}/gs) ?? [])];
  return [
    event('content_block_start', { index: 0, content_block: block }),
    event('ping', {}),
    ...pieces.map((piece) =>
      event('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json: piece } }),
    ),
  ];
}

function event(type: string, fields: Record<string, unknown>): EncodedChunk {
  const bytes = Buffer.from(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  return { bytes, outputTokens: 0, usage: null };
}

function getStopReason(completion: Completion): string {
  return completion.toolCall === null ? 'end_turn' : 'tool_use';
}

function encodeUsage(usage: TokenUsage): unknown {
  return {
    input_tokens: usage.inputTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    output_tokens: usage.outputTokens,
    service_tier: 'standard',
  };
}
