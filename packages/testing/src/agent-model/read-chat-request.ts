import { asObject } from '../fake-provider/parse-completion-request.ts';
import type { ReasoningStyle } from './agent-script.ts';
import { readChatReasoning } from './chat-reasoning.ts';
import { computeDigest } from './read-messages-request.ts';
import type { AnswerWishes, ReadRequest, SeenConversation } from './seen-conversation.ts';

type Json = Record<string, unknown>;

/** Parses a valid request to `/v1/chat/completions`. */
export function readChatRequest(body: Json, style: ReasoningStyle): ReadRequest {
  const messages = asList(body['messages']).map(asObject);
  const seen: SeenConversation = {
    system: '',
    said: [],
    turns: messages.filter(({ role }) => role === 'assistant').length,
    results: [],
    images: [],
    reasoning: [],
    thinks: style !== 'none',
  };
  const system = messages.filter(({ role }) => role === 'system' || role === 'developer');
  seen.system = system.map(({ content }) => getText(content)).join('\n');
  const calls = new Map<unknown, Json>();
  for (const message of messages) readMessage(message, calls, seen);
  for (const message of messages) seen.reasoning.push(...readChatReasoning(message, style));
  return { seen, wishes: requestOptions(body) };
}

function readMessage(message: Json, calls: Map<unknown, Json>, seen: SeenConversation): void {
  const text = getText(message['content']);
  switch (message['role']) {
    case 'user': {
      if (text !== '') seen.said.push(text);
      for (const part of asList(message['content']).map(asObject)) {
        const url = asObject(part['image_url'])['url'];
        if (typeof url === 'string') seen.images.push(computeDigest(url.slice(url.indexOf(',') + 1)));
      }
      return;
    }
    case 'assistant':
      for (const call of asList(message['tool_calls']).map(asObject))
        calls.set(call['id'], asObject(call['function']));
      return;
    case 'tool': {
      const id = message['tool_call_id'];
      const called = calls.get(id);
      const input: unknown = JSON.parse(String(called?.['arguments']));
      // The dialect marks an error result only by its text.
      const isError = text.startsWith('Error: ');
      seen.results.push({ id: String(id), name: String(called?.['name']), input, text, isError });
      return;
    }
    default:
  }
}

function getText(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = asList(content).map(asObject);
  return parts.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : [])).join('\n');
}

function requestOptions(body: Json): AnswerWishes {
  const choice = body['tool_choice'];
  const named = asObject(asObject(choice)['function'])['name'];
  const format = asObject(body['response_format']);
  const stops = typeof body['stop'] === 'string' ? [body['stop']] : asList(body['stop']);
  const maxTokens = body['max_completion_tokens'] ?? body['max_tokens'];
  return {
    tools: asList(body['tools']).map((tool) => {
      const { name, parameters } = { name: '', parameters: {}, ...asObject(asObject(tool)['function']) };
      return { name, schema: asObject(parameters) };
    }),
    choice: typeof named === 'string' ? { name: named } : getChoice(choice),
    isParallel: body['parallel_tool_calls'] !== false,
    schema: format['type'] === 'json_schema' ? asObject(asObject(format['json_schema'])['schema']) : null,
    stops: stops.map(String),
    maxTokens: typeof maxTokens === 'number' ? maxTokens : null,
  };
}

function getChoice(choice: unknown): 'auto' | 'none' | 'any' {
  if (choice === 'required') return 'any';
  return choice === 'none' ? 'none' : 'auto';
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
