import { encodeMessageUsage, encodeUsage } from '@tollgate/dialects/anthropic-messages/encode-usage';
import { asObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import {
  lengthOfStrings,
  planAnswer,
  textOfContent,
  type DemoAnswer,
  type OfferedTool,
} from './plan-answer.ts';

/** Parses the parts of a message request that the demo provider uses. */
export function answerMessage(body: JsonObject): DemoAnswer {
  const messages = Array.isArray(body['messages']) ? body['messages'] : [];
  const content = asObject(messages.at(-1))?.['content'];
  const result = Array.isArray(content)
    ? content.map(asObject).find((part) => part?.['type'] === 'tool_result')
    : undefined;
  const maxTokens = body['max_tokens'];
  return planAnswer({
    lastText: textOfContent(result === undefined ? content : result?.['content']),
    lastIsToolResult: result !== undefined,
    tools: readTools(body),
    maxTokens: typeof maxTokens === 'number' ? maxTokens : null,
    promptLength: lengthOfStrings(body['system'], body['messages'], body['tools']),
    schema: readSchema(
      asObject(body['output_format']) ?? asObject(asObject(body['output_config'])?.['format']),
    ),
  });
}

/** The schema of the output format; null: plain text. */
function readSchema(format: JsonObject | null): JsonObject | null {
  return format?.['type'] === 'json_schema' ? (asObject(format['schema']) ?? {}) : null;
}

function readTools(body: JsonObject): OfferedTool[] {
  const choice = asObject(body['tool_choice']);
  if (choice?.['type'] === 'none' || !Array.isArray(body['tools'])) return [];
  const tools = body['tools'].flatMap((tool): OfferedTool[] => {
    const offered = asObject(tool);
    const name = offered?.['name'];
    // Hosted tools (web search, …) have no schema; the demo provider does not support them.
    const schema = asObject(offered?.['input_schema']);
    return typeof name === 'string' && schema !== null ? [{ name, schema }] : [];
  });
  return choice?.['type'] === 'tool' ? tools.filter((tool) => tool.name === choice['name']) : tools;
}

interface Identity {
  id: string;
  model: string;
}

/** A whole `message`. */
export function encodeMessage(answer: DemoAnswer, identity: Identity): string {
  const content =
    answer.toolCall === null ? [textBlock(answer.pieces.join(''))] : [toolBlock(answer, identity.id)];
  return JSON.stringify(getMessage(answer, identity, content, getStopReason(answer)));
}

/** The events of a stream, in order. */
export function encodeMessageStream(answer: DemoAnswer, identity: Identity): string[] {
  const event = (type: string, rest: object = {}) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
  const delta = (value: object) => event('content_block_delta', { index: 0, delta: value });
  const { toolCall } = answer;
  const start = toolCall === null ? textBlock('') : { ...toolBlock(answer, identity.id), input: {} };
  const deltas =
    toolCall === null
      ? answer.pieces.map((text) => delta({ type: 'text_delta', text }))
      : [delta({ type: 'input_json_delta', partial_json: JSON.stringify(toolCall.arguments) })];
  return [
    event('message_start', { message: getMessage({ ...answer, outputTokens: 1 }, identity, [], null) }),
    event('content_block_start', { index: 0, content_block: start }),
    event('ping'),
    ...deltas,
    event('content_block_stop', { index: 0 }),
    event('message_delta', {
      delta: { stop_reason: getStopReason(answer), stop_sequence: null, stop_details: null },
      usage: encodeUsage(getUsage(answer)),
    }),
    event('message_stop'),
  ];
}

function getMessage(
  answer: DemoAnswer,
  { id, model }: Identity,
  content: object[],
  stopReason: string | null,
) {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    stop_details: null,
    usage: encodeMessageUsage(getUsage(answer), 'standard'),
  };
}

function getUsage({ inputTokens, outputTokens }: DemoAnswer) {
  return {
    inputTokens,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens,
    reasoningTokens: null,
    cacheWrite1hTokens: 0,
  };
}

const textBlock = (text: string) => ({ type: 'text', text });

function toolBlock({ toolCall }: DemoAnswer, id: string) {
  return {
    type: 'tool_use',
    id: `toolu_${id.slice(-16)}`,
    name: toolCall?.name,
    input: toolCall?.arguments,
    caller: { type: 'direct' },
  };
}

function getStopReason(answer: DemoAnswer): string {
  if (answer.toolCall !== null) return 'tool_use';
  return answer.isCut ? 'max_tokens' : 'end_turn';
}
