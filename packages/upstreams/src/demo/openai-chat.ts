import { asObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import {
  lengthOfStrings,
  planAnswer,
  textOfContent,
  type DemoAnswer,
  type OfferedTool,
} from './plan-answer.ts';

/** Parses the parts of a chat completion request that the demo provider uses. */
export function answerChat(body: JsonObject): DemoAnswer {
  const messages = Array.isArray(body['messages']) ? body['messages'] : [];
  const last = asObject(messages.at(-1));
  const maxTokens = body['max_completion_tokens'] ?? body['max_tokens'];
  return planAnswer({
    lastText: textOfContent(last?.['content']),
    lastIsToolResult: last?.['role'] === 'tool',
    tools: readTools(body),
    maxTokens: typeof maxTokens === 'number' ? maxTokens : null,
    promptLength: lengthOfStrings(body['messages'], body['tools']),
    schema: readSchema(asObject(body['response_format'])),
  });
}

/** The schema of `response_format`; null: plain text. */
function readSchema(format: JsonObject | null): JsonObject | null {
  if (format?.['type'] === 'json_object') return {};
  if (format?.['type'] !== 'json_schema') return null;
  return asObject(asObject(format['json_schema'])?.['schema']) ?? {};
}

function readTools(body: JsonObject): OfferedTool[] {
  if (body['tool_choice'] === 'none' || !Array.isArray(body['tools'])) return [];
  const wanted = asObject(asObject(body['tool_choice'])?.['function'])?.['name'];
  const tools = body['tools'].flatMap((tool): OfferedTool[] => {
    const offered = asObject(asObject(tool)?.['function']);
    const name = offered?.['name'];
    return typeof name === 'string' ? [{ name, schema: asObject(offered?.['parameters']) ?? {} }] : [];
  });
  return typeof wanted === 'string' ? tools.filter((tool) => tool.name === wanted) : tools;
}

interface Identity {
  id: string;
  created: number;
  model: string;
}

/** A whole `chat.completion`. */
export function encodeChatCompletion(answer: DemoAnswer, { id, created, model }: Identity): string {
  const toolCalls = getToolCalls(answer, id);
  const message = {
    role: 'assistant',
    content: toolCalls === null ? answer.pieces.join('') : null,
    refusal: null,
    ...(toolCalls && { tool_calls: toolCalls }),
  };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: getFinishReason(answer) }];
  return JSON.stringify({ id, object: 'chat.completion', created, model, choices, usage: getUsage(answer) });
}

/** The events of a stream, in order; usage comes last if requested, as at OpenAI. */
export function encodeChatStream(answer: DemoAnswer, identity: Identity, includeUsage: boolean): string[] {
  const { id, created, model } = identity;
  const event = (rest: object) =>
    `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created, model, ...rest })}\n\n`;
  const usage = includeUsage ? { usage: null } : {};
  const chunk = (delta: object, finishReason: string | null = null) =>
    event({ choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }], ...usage });
  const toolCalls = getToolCalls(answer, id)?.map((call, index) => ({ index, ...call })) ?? null;
  return [
    chunk({ role: 'assistant', content: toolCalls === null ? '' : null }),
    ...answer.pieces.map((piece) => chunk({ content: piece })),
    ...(toolCalls === null ? [] : [chunk({ tool_calls: toolCalls })]),
    chunk({}, getFinishReason(answer)),
    ...(includeUsage ? [event({ choices: [], usage: getUsage(answer) })] : []),
    'data: [DONE]\n\n',
  ];
}

function getToolCalls({ toolCall }: DemoAnswer, id: string) {
  if (toolCall === null) return null;
  const call = { name: toolCall.name, arguments: JSON.stringify(toolCall.arguments) };
  return [{ id: `call_${id.slice(-16)}`, type: 'function', function: call }];
}

function getFinishReason(answer: DemoAnswer): string {
  if (answer.toolCall !== null) return 'tool_calls';
  return answer.isCut ? 'length' : 'stop';
}

function getUsage({ inputTokens, outputTokens }: DemoAnswer) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}
