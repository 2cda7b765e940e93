import { saidTurns, isWholeCall, type AnswerTurn, type Turn, type UserTurn } from '../conversation.ts';
import type { Dialect } from '../search.ts';
import type { Tool } from './parse-tools.ts';

/** What goes into a request, in neither dialect's words. */
export interface RequestInput {
  model: string;
  system: string;
  turns: readonly Turn[];
  tools: readonly Tool[];
  temperature: number | undefined;
  maxTokens: number | undefined;
}

export type RequestBody = Record<string, unknown>;

/** Anthropic's dialect knows no request without a maximum. */
export const DEFAULT_MAX_TOKENS = 1024;

/** The body of a request, without `stream`. */
export function buildRequest(dialect: Dialect, input: RequestInput): RequestBody {
  switch (dialect) {
    case 'openai':
      return buildChatCompletion(input);
    case 'anthropic':
      return buildMessage(input);
  }
}

function buildChatCompletion(input: RequestInput): RequestBody {
  const { model, system, turns, tools, temperature, maxTokens } = input;
  const said = saidTurns(turns).flatMap((turn) =>
    turn.kind === 'user' ? chatUserMessages(turn) : [chatAssistantMessage(turn)],
  );
  return {
    model,
    messages: [...(system.trim() === '' ? [] : [{ role: 'system', content: system }]), ...said],
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((tool) => ({ type: 'function', function: withoutGaps(tool) })) }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
  };
}

function chatUserMessages({ text, image, toolResults }: UserTurn): object[] {
  const results = toolResults.map(({ callId, text: content }) => ({
    role: 'tool',
    tool_call_id: callId,
    content,
  }));
  if (image !== null) {
    const url = `data:${image.mediaType};base64,${image.base64}`;
    const parts = [
      ...(text === '' ? [] : [{ type: 'text', text }]),
      { type: 'image_url', image_url: { url } },
    ];
    return [...results, { role: 'user', content: parts }];
  }
  return text === '' ? results : [...results, { role: 'user', content: text }];
}

function chatAssistantMessage(turn: AnswerTurn): object {
  if (!isWholeCall(turn)) return { role: 'assistant', content: turn.text };
  return {
    role: 'assistant',
    content: turn.text === '' ? null : turn.text,
    tool_calls: turn.toolCalls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments === '' ? '{}' : call.arguments },
    })),
  };
}

function buildMessage(input: RequestInput): RequestBody {
  const { model, system, turns, tools, temperature, maxTokens } = input;
  return {
    model,
    max_tokens: maxTokens ?? DEFAULT_MAX_TOKENS,
    ...(system.trim() === '' ? {} : { system }),
    messages: saidTurns(turns).map((turn) =>
      turn.kind === 'user' ? messageUserTurn(turn) : messageAssistantTurn(turn),
    ),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ parameters, ...tool }) => withoutGaps({ ...tool, input_schema: parameters })),
        }),
    ...(temperature === undefined ? {} : { temperature }),
  };
}

function messageUserTurn({ text, image, toolResults }: UserTurn): object {
  if (image === null && toolResults.length === 0) return { role: 'user', content: text };
  const content = [
    ...toolResults.map((result) => ({
      type: 'tool_result',
      tool_use_id: result.callId,
      content: result.text,
    })),
    ...(image === null
      ? []
      : [{ type: 'image', source: { type: 'base64', media_type: image.mediaType, data: image.base64 } }]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
  ];
  return { role: 'user', content };
}

function messageAssistantTurn(turn: AnswerTurn): object {
  if (!isWholeCall(turn)) return { role: 'assistant', content: turn.text };
  const calls = turn.toolCalls.map((call) => ({
    type: 'tool_use',
    id: call.id,
    name: call.name,
    input: parseArguments(call.arguments),
  }));
  return {
    role: 'assistant',
    content: [...(turn.text === '' ? [] : [{ type: 'text', text: turn.text }]), ...calls],
  };
}

/** A model may write arguments that are not JSON: they are sent unchanged. */
function parseArguments(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return { arguments: text };
  }
}

function withoutGaps(tool: object): object {
  return Object.fromEntries(Object.entries(tool).filter(([, value]) => value !== undefined));
}
