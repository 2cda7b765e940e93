import { asObject } from '../fake-provider/parse-completion-request.ts';
import type { ReasoningStyle } from './agent-script.ts';
import { findReasoningViolation } from './chat-reasoning.ts';
import { asList } from './read-chat-request.ts';
import { refuse } from './refusal.ts';
import type { Refusal } from './seen-conversation.ts';

type Message = Record<string, unknown>;

/** OpenAI's limit. */
const MAX_CALL_ID = 40;

/** The previous turn's calls without a result. */
interface OpenCalls {
  /** Index of the message with the calls; null: none. */
  index: number | null;
  open: Set<unknown>;
}

/** Errors of chat completion providers for a conversation, with OpenAI's messages. */
export function* findChatHistoryViolations(
  body: Record<string, unknown>,
  style: ReasoningStyle,
): Generator<Refusal> {
  const messages = asList(body['messages']).map(asObject);
  if (messages.length === 0)
    yield refuse(
      'messages',
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      'empty_array',
    );
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  let calls: OpenCalls = { index: null, open: new Set() };
  for (const [index, message] of messages.entries()) {
    if (message['role'] === 'tool') {
      yield* findResultViolations(message, index, calls);
      calls.open.delete(message['tool_call_id']);
      continue;
    }
    yield* findUnanswered(calls);
    calls = { index: null, open: new Set() };
    if (message['role'] !== 'assistant') continue;
    yield* findAssistantViolations(message, index, style);
    const violation = findReasoningViolation(message, style, { index, isCurrent: index > lastUser });
    if (violation !== null) yield refuse(`messages[${index}]`, violation);
    const ids = asList(message['tool_calls']).map((call) => asObject(call)['id']);
    if (ids.length > 0) calls = { index, open: new Set(ids) };
  }
  yield* findUnanswered(calls);
}

function* findResultViolations(message: Message, index: number, calls: OpenCalls): Generator<Refusal> {
  const param = `messages.[${index}].role`;
  if (calls.index === null)
    yield refuse(
      param,
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    );
  else if (!calls.open.has(message['tool_call_id']))
    yield refuse(
      param,
      `Invalid parameter: 'tool_call_id' of '${String(message['tool_call_id'])}' not found in 'tool_calls' of previous message.`,
    );
}

function* findUnanswered({ index, open }: OpenCalls): Generator<Refusal> {
  if (open.size === 0) return;
  yield refuse(
    `messages.[${index}].role`,
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
  );
}

function* findAssistantViolations(
  message: Message,
  index: number,
  style: ReasoningStyle,
): Generator<Refusal> {
  const calls = message['tool_calls'];
  if (Array.isArray(calls) && calls.length === 0)
    yield refuse(
      `messages[${index}].tool_calls`,
      `Invalid 'messages[${index}].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
      'empty_array',
    );
  if ((message['content'] ?? null) === null && calls === undefined && (message['refusal'] ?? null) === null)
    yield refuse(`messages.[${index}].content`, "Invalid value for 'content': expected a string, got null.");
  const ids = new Set<unknown>();
  for (const call of asList(calls).map(asObject)) {
    const { id } = call;
    if (ids.has(id))
      yield refuse(`messages[${index}].tool_calls`, `Duplicate value for 'tool_call_id' of '${String(id)}'`);
    ids.add(id);
    if (style === 'none' && String(id).length > MAX_CALL_ID)
      yield refuse(
        `messages[${index}].tool_calls`,
        `Invalid 'messages[${index}].tool_calls[0].id': string too long. Expected a string with maximum length ${MAX_CALL_ID}.`,
        'string_above_max_length',
      );
    if (!isObjectText(asObject(call['function'])['arguments']))
      yield refuse(`messages[${index}].tool_calls`, 'The arguments of a call must be the JSON of an object.');
  }
}

function isObjectText(text: unknown): boolean {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
