import type { EncodedChunk } from '../fake-provider/encoded-chunk.ts';
import type { ReasoningStyle } from './agent-script.ts';
import { signCall, reasoningContent, reasoningDetails } from './chat-reasoning.ts';
import { splitWords, type AgentAnswer, type AgentCall } from './plan-answer.ts';

type Json = Record<string, unknown>;

const ENVELOPE = { id: 'chatcmpl-FakeAgentModel000001', created: 1_760_000_000, system_fingerprint: null };
/** The provider's prefix of call ids. */
const CALL_PREFIX = 'call_';

/** Encodes a chat completion (https://platform.openai.com/docs/api-reference/chat/object). */
export function encodeChatAnswer(given: AgentAnswer, style: ReasoningStyle): EncodedChunk[] {
  const answer = withPrefix(given);
  const message = {
    role: 'assistant',
    content: answer.text === '' ? null : answer.text,
    refusal: null,
    ...getReasoning(answer, style),
    ...(answer.calls.length > 0 && {
      tool_calls: answer.calls.map((call, index) => ({
        ...wholeCall(call),
        ...getExtra(call, index, style),
      })),
    }),
  };
  const body = {
    ...ENVELOPE,
    object: 'chat.completion',
    model: answer.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: getFinish(answer) }],
    usage: getUsage(answer),
  };
  const outputTokens = splitWords(answer.text).length;
  return [{ bytes: Buffer.from(JSON.stringify(body)), outputTokens, usage: answer.usage }];
}

/** Encodes a stream (https://platform.openai.com/docs/api-reference/chat-streaming). */
export function encodeChatStream(
  given: AgentAnswer,
  style: ReasoningStyle,
  includesUsage: boolean,
): EncodedChunk[] {
  const answer = withPrefix(given);
  const chunk = (choices: Json[], usage: Json | null = null): EncodedChunk => {
    const body = { ...ENVELOPE, object: 'chat.completion.chunk', model: answer.model, choices };
    const whole = includesUsage ? { ...body, usage } : body;
    return { bytes: Buffer.from(`data: ${JSON.stringify(whole)}\n\n`), outputTokens: 0, usage: null };
  };
  const delta = (content: Json, finishReason: string | null = null) =>
    chunk([{ index: 0, delta: content, logprobs: null, finish_reason: finishReason }]);
  return [
    delta({ role: 'assistant', content: answer.calls.length > 0 ? null : '', refusal: null }),
    ...reasoningDeltas(answer, style).map((content) => delta(content)),
    ...splitWords(answer.text).map((content) => ({ ...delta({ content }), outputTokens: 1 })),
    ...answer.calls
      .flatMap((call, index) => callDeltas(call, index, style))
      .map((call) => delta({ tool_calls: [call] })),
    delta({}, getFinish(answer)),
    ...(includesUsage ? [{ ...chunk([], getUsage(answer)), usage: answer.usage }] : []),
    { bytes: Buffer.from('data: [DONE]\n\n'), outputTokens: 0, usage: null },
  ];
}

function withPrefix(answer: AgentAnswer): AgentAnswer {
  return { ...answer, calls: answer.calls.map((call) => ({ ...call, id: CALL_PREFIX + call.id })) };
}

function getReasoning(answer: AgentAnswer, style: ReasoningStyle): Json {
  const text = reasoningContent(answer);
  if (style === 'deepseek' && text !== null) return { reasoning_content: text };
  const details = style === 'openrouter' ? reasoningDetails(answer) : [];
  return details.length === 0 ? {} : { reasoning: answer.thinks, reasoning_details: details };
}

/** Text is sent word by word, then its signature under the same index. */
function reasoningDeltas(answer: AgentAnswer, style: ReasoningStyle): Json[] {
  const text = reasoningContent(answer);
  if (style === 'deepseek') return splitWords(text ?? '').map((word) => ({ reasoning_content: word }));
  if (style !== 'openrouter') return [];
  return reasoningDetails(answer).flatMap((detail) => {
    if (detail['type'] !== 'reasoning.text') return [{ reasoning_details: [detail] }];
    const { signature, text, ...rest } = detail;
    const words = splitWords(String(text)).map((word) => ({
      reasoning: word,
      reasoning_details: [{ ...rest, text: word }],
    }));
    return [...words, { reasoning_details: [{ ...rest, signature }] }];
  });
}

function wholeCall({ id, name, json }: AgentCall): Json {
  return { id, type: 'function', function: { name, arguments: json } };
}

function getExtra(call: AgentCall, index: number, style: ReasoningStyle): Json {
  return style === 'gemini' ? signCall(call, index) : {};
}

/** Google sends each call whole, always with index 0. */
function callDeltas(call: AgentCall, index: number, style: ReasoningStyle): Json[] {
  if (style === 'gemini') return [{ index: 0, ...wholeCall(call), ...signCall(call, index) }];
  const pieces = call.json.match(/.{1,8}/gsu) ?? [];
  return [
    { index, ...wholeCall({ ...call, json: '' }) },
    ...pieces.map((piece) => ({ index, function: { arguments: piece } })),
  ];
}

function getFinish({ finish }: AgentAnswer): string {
  switch (finish.type) {
    case 'calls':
      return 'tool_calls';
    case 'length':
      return 'length';
    case 'stop':
    case 'end':
      return 'stop';
  }
}

/** `prompt_tokens` includes cached tokens. */
function getUsage({ usage, reasoningTokens }: AgentAnswer): Json {
  const promptTokens = usage.inputTokens + usage.cacheReadTokens;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: promptTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cacheReadTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  };
}
