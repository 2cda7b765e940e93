import { asObject } from '../fake-provider/parse-completion-request.ts';
import { asList } from './read-chat-request.ts';
import { findHiddenReasoning } from './reasoning-signature.ts';
import type { AnswerWishes, ReadRequest, SeenConversation } from './seen-conversation.ts';

type Json = Record<string, unknown>;

/** Items that the model writes. */
const OWN_ITEMS = new Set<unknown>(['reasoning', 'function_call', 'custom_tool_call', 'tool_search_call']);

/** Parses a valid request to `/v1/responses`. */
export function readResponsesRequest(body: Json): ReadRequest {
  const given = body['input'];
  const items = typeof given === 'string' ? [{ role: 'user', content: given }] : asList(given).map(asObject);
  const isOwn = (item: Json | undefined) =>
    item !== undefined && (OWN_ITEMS.has(item['type']) || item['role'] === 'assistant');
  const seen: SeenConversation = {
    system: typeof body['instructions'] === 'string' ? body['instructions'] : '',
    said: [],
    turns: items.filter((item, index) => isOwn(item) && !isOwn(items[index - 1])).length,
    results: [],
    images: [],
    reasoning: [],
    thinks: asList(body['include']).includes('reasoning.encrypted_content'),
  };
  const calls = new Map<unknown, Json>();
  for (const item of items) readItem(item, calls, seen);
  return { seen, wishes: requestOptions(body) };
}

function readItem(item: Json, calls: Map<unknown, Json>, seen: SeenConversation): void {
  switch (item['type'] ?? 'message') {
    case 'message': {
      const text = getText(item['content']);
      if (item['role'] === 'user') seen.said.push(text);
      if (item['role'] === 'developer' || item['role'] === 'system') seen.system += `\n${text}`;
      return;
    }
    case 'reasoning':
      seen.reasoning.push(findHiddenReasoning(item['encrypted_content'])?.text ?? '');
      return;
    case 'function_call':
    case 'custom_tool_call':
      calls.set(item['call_id'], item);
      return;
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const call = calls.get(item['call_id']);
      const input: unknown =
        call?.['type'] === 'function_call'
          ? JSON.parse(String(call['arguments']))
          : { input: call?.['input'] };
      const text = getText(item['output']);
      seen.results.push({
        id: String(item['call_id']),
        name: String(call?.['name']),
        input,
        text,
        isError: false,
      });
      return;
    }
    default:
  }
}

function getText(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((part) => asObject(part)['text'])
    .filter((text) => typeof text === 'string')
    .join('\n');
}

function requestOptions(body: Json): AnswerWishes {
  const choice = body['tool_choice'];
  const named = asObject(choice)['name'];
  const format = asObject(asObject(body['text'])['format']);
  const maxTokens = body['max_output_tokens'];
  return {
    tools: asList(body['tools'])
      .map(asObject)
      .flatMap(({ name, parameters }) =>
        typeof name === 'string' ? [{ name, schema: asObject(parameters) }] : [],
      ),
    choice: typeof named === 'string' ? { name: named } : getChoice(choice),
    isParallel: body['parallel_tool_calls'] !== false,
    schema: format['type'] === 'json_schema' ? asObject(format['schema']) : null,
    stops: [],
    maxTokens: typeof maxTokens === 'number' ? maxTokens : null,
  };
}

function getChoice(choice: unknown): 'auto' | 'none' | 'any' {
  if (choice === 'required') return 'any';
  return choice === 'none' ? 'none' : 'auto';
}
