import type { TokenUsage } from '@tollgate/core/money/money';
import type { EncodedChunk } from '../fake-provider/encoded-chunk.ts';
import { splitWords, type AgentAnswer, type AgentCall } from './plan-answer.ts';
import { hideReasoning, signReasoning } from './reasoning-signature.ts';

type Json = Record<string, unknown>;

interface AnswerBlock {
  /** As in a whole response. */
  whole: Json;
  /** As opened in a stream. */
  opening: Json;
  deltas: { delta: Json; outputTokens: number }[];
}

const ID = 'msg_01FakeAgentModel000001';
/** The provider's prefix of call ids. */
const CALL_PREFIX = 'toolu_01';

/** Encodes a Messages API response (https://docs.anthropic.com/en/api/messages). */
export function encodeMessagesAnswer(answer: AgentAnswer): EncodedChunk[] {
  const body = {
    ...envelope(answer),
    content: getBlocks(answer).map(({ whole }) => whole),
    ...getStop(answer),
    usage: getUsage(answer.usage),
  };
  const bytes = Buffer.from(JSON.stringify(body));
  return [{ bytes, outputTokens: splitWords(answer.text).length, usage: answer.usage }];
}

/** Encodes a stream (https://docs.anthropic.com/en/docs/build-with-claude/streaming). */
export function encodeMessagesStream(answer: AgentAnswer): EncodedChunk[] {
  const started = { ...answer.usage, outputTokens: 1 };
  const opening = { ...envelope(answer), content: [], stop_reason: null, stop_sequence: null };
  const ending = { delta: getStop(answer), usage: getUsage(answer.usage) };
  return [
    { ...event('message_start', { message: { ...opening, usage: getUsage(started) } }), usage: started },
    event('ping', {}),
    ...getBlocks(answer).flatMap((block, index) => [
      event('content_block_start', { index, content_block: block.opening }),
      ...block.deltas.map(({ delta, outputTokens }) => ({
        ...event('content_block_delta', { index, delta }),
        outputTokens,
      })),
      event('content_block_stop', { index }),
    ]),
    { ...event('message_delta', ending), usage: answer.usage },
    event('message_stop', {}),
  ];
}

function getBlocks({ thinks, hides, text, calls }: AgentAnswer): AnswerBlock[] {
  const blocks: AnswerBlock[] = [];
  if (thinks !== null) blocks.push(thinkingBlock(thinks));
  if (hides !== null) {
    const whole = { type: 'redacted_thinking', data: hideReasoning(hides, '0/1') };
    blocks.push({ whole, opening: whole, deltas: [] });
  }
  if (text !== '')
    blocks.push({
      whole: { type: 'text', text },
      opening: { type: 'text', text: '' },
      deltas: splitWords(text).map((word) => ({
        delta: { type: 'text_delta', text: word },
        outputTokens: 1,
      })),
    });
  return [...blocks, ...calls.map(callBlock)];
}

function thinkingBlock(thinking: string): AnswerBlock {
  const signature = signReasoning(thinking, '0/1');
  const texts = splitWords(thinking).map((word) => ({ type: 'thinking_delta', thinking: word }));
  const deltas = [...texts, { type: 'signature_delta', signature }];
  return {
    whole: { type: 'thinking', thinking, signature },
    opening: { type: 'thinking', thinking: '', signature: '' },
    deltas: deltas.map((delta) => ({ delta, outputTokens: 0 })),
  };
}

function callBlock({ id, name, json }: AgentCall): AnswerBlock {
  const block = { type: 'tool_use', id: CALL_PREFIX + id, name };
  const pieces = ['', ...(json.match(/.{1,8}/gsu) ?? [])];
  return {
    whole: { ...block, input: JSON.parse(json) },
    opening: { ...block, input: {} },
    deltas: pieces.map((piece) => ({
      delta: { type: 'input_json_delta', partial_json: piece },
      outputTokens: 0,
    })),
  };
}

function envelope({ model }: AgentAnswer): Json {
  return { id: ID, type: 'message', role: 'assistant', model };
}

function getStop({ finish }: AgentAnswer): Json {
  switch (finish.type) {
    case 'stop':
      return { stop_reason: 'stop_sequence', stop_sequence: finish.sequence };
    case 'calls':
      return { stop_reason: 'tool_use', stop_sequence: null };
    case 'length':
      return { stop_reason: 'max_tokens', stop_sequence: null };
    case 'end':
      return { stop_reason: 'end_turn', stop_sequence: null };
  }
}

function getUsage(usage: TokenUsage): Json {
  return {
    input_tokens: usage.inputTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    output_tokens: usage.outputTokens,
  };
}

function event(type: string, fields: Json): EncodedChunk {
  const bytes = Buffer.from(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  return { bytes, outputTokens: 0, usage: null };
}
