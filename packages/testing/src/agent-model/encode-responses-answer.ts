import type { EncodedChunk } from '../fake-provider/encoded-chunk.ts';
import { asObject } from '../fake-provider/parse-completion-request.ts';
import { asList } from './read-chat-request.ts';
import { splitWords, type AgentAnswer, type AgentCall } from './plan-answer.ts';
import { hideReasoning } from './reasoning-signature.ts';

type Json = Record<string, unknown>;

/** Bytes of a piece of arguments. */
const PIECE = 16;

/** Encodes a response (https://developers.openai.com/api/reference/resources/responses). */
export function encodeResponsesAnswer(answer: AgentAnswer, request: Json): EncodedChunk[] {
  const body = { ...envelope(answer, request), ...ending(answer, listItems(answer, request)) };
  const outputTokens = splitWords(answer.text).length;
  return [{ bytes: Buffer.from(JSON.stringify(body)), outputTokens, usage: answer.usage }];
}

/** Encodes a stream (https://developers.openai.com/api/reference/resources/responses/streaming-events). */
export function encodeResponsesStream(answer: AgentAnswer, request: Json): EncodedChunk[] {
  const items = listItems(answer, request);
  const opening = { ...envelope(answer, request), status: 'in_progress', output: [], usage: null };
  const last = { ...envelope(answer, request), ...ending(answer, items) };
  const events: [type: string, members: Json][] = [
    ['response.created', { response: opening }],
    ['response.in_progress', { response: opening }],
    ...items.flatMap((item, index) => itemEvents(item, index)),
    [`response.${String(last['status'])}`, { response: last }],
  ];
  return events.map(([type, members], number) => {
    const data = JSON.stringify({ type, sequence_number: number, ...members });
    return {
      bytes: Buffer.from(`event: ${type}\ndata: ${data}\n\n`),
      outputTokens: type === 'response.output_text.delta' ? 1 : 0,
      usage: number === events.length - 1 ? answer.usage : null,
    };
  });
}

function listItems(answer: AgentAnswer, request: Json): Json[] {
  const place = getPlace(request);
  const hidden = [answer.thinks, answer.hides].filter((text) => text !== null).join('\n');
  const custom = new Set(
    asList(request['tools'])
      .map(asObject)
      .flatMap(({ type, name }) => (type === 'custom' ? [name] : [])),
  );
  const items: Json[] = [];
  if (hidden !== '') items.push(reasoningItem(answer, { hidden, place, request }));
  if (answer.text !== '')
    items.push({
      id: `msg_${place}`,
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: answer.text, annotations: [], logprobs: [] }],
    });
  return [
    ...items,
    ...answer.calls.map((call, index) => callItem(call, custom.has(call.name), `${place}_${index}`)),
  ];
}

function reasoningItem(
  { thinks }: AgentAnswer,
  { hidden, place, request }: { hidden: string; place: string; request: Json },
): Json {
  const isShown = thinks !== null && typeof asObject(request['reasoning'])['summary'] === 'string';
  return {
    id: `rs_${place}`,
    type: 'reasoning',
    summary: isShown ? [{ type: 'summary_text', text: thinks }] : [],
    encrypted_content: hideReasoning(hidden, '0/1'),
  };
}

function callItem({ id, name, json }: AgentCall, isCustom: boolean, place: string): Json {
  const members = { call_id: `call_${id}`, name };
  if (!isCustom)
    return { id: `fc_${place}`, type: 'function_call', status: 'completed', ...members, arguments: json };
  return {
    id: `ctc_${place}`,
    type: 'custom_tool_call',
    ...members,
    input: String(asObject(JSON.parse(json))['input']),
  };
}

/** Ids differ in each turn of a conversation. */
function getPlace(request: Json): string {
  return `0fake${String(asList(request['input']).length).padStart(4, '0')}`;
}

function itemEvents(item: Json, index: number): [string, Json][] {
  const at = { output_index: index };
  const place = { ...at, item_id: item['id'] };
  return [
    ['response.output_item.added', { ...at, item: openItem(item) }],
    ...fillEvents(item, place),
    ['response.output_item.done', { ...at, item }],
  ];
}

function openItem(item: Json): Json {
  switch (item['type']) {
    case 'reasoning':
      return { ...item, summary: [] };
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' };
    default:
      return { ...item, input: '' };
  }
}

function fillEvents(item: Json, place: Json): [string, Json][] {
  switch (item['type']) {
    case 'reasoning':
      return asList(item['summary']).flatMap((given, index) => {
        const part = asObject(given);
        const inside = { ...place, summary_index: index };
        return [
          ['response.reasoning_summary_part.added', { ...inside, part: { ...part, text: '' } }],
          ...splitWords(String(part['text'])).map((delta): [string, Json] => [
            'response.reasoning_summary_text.delta',
            { ...inside, delta },
          ]),
          ['response.reasoning_summary_text.done', { ...inside, text: part['text'] }],
          ['response.reasoning_summary_part.done', { ...inside, part }],
        ];
      });
    case 'message': {
      const part = asObject(asList(item['content'])[0]);
      const inside = { ...place, content_index: 0 };
      return [
        ['response.content_part.added', { ...inside, part: { ...part, text: '' } }],
        ...splitWords(String(part['text'])).map((delta): [string, Json] => [
          'response.output_text.delta',
          { ...inside, delta, logprobs: [] },
        ]),
        ['response.output_text.done', { ...inside, text: part['text'], logprobs: [] }],
        ['response.content_part.done', { ...inside, part }],
      ];
    }
    case 'function_call': {
      const text = String(item['arguments']);
      return [
        ...cut(text).map((delta): [string, Json] => [
          'response.function_call_arguments.delta',
          { ...place, delta },
        ]),
        ['response.function_call_arguments.done', { ...place, name: item['name'], arguments: text }],
      ];
    }
    default: {
      const input = String(item['input']);
      return [
        ...cut(input).map((delta): [string, Json] => [
          'response.custom_tool_call_input.delta',
          { ...place, delta },
        ]),
        ['response.custom_tool_call_input.done', { ...place, input }],
      ];
    }
  }
}

function cut(text: string): string[] {
  const characters = Array.from(text);
  const pieces = Math.ceil(characters.length / PIECE);
  return Array.from({ length: pieces }, (_, at) => characters.slice(at * PIECE, (at + 1) * PIECE).join(''));
}

function envelope({ model }: AgentAnswer, request: Json): Json {
  const { instructions = null, tools = [], tool_choice: choice = 'auto', text, reasoning } = request;
  return {
    id: `resp_${getPlace(request)}`,
    object: 'response',
    created_at: 1_790_000_000,
    error: null,
    incomplete_details: null,
    instructions,
    max_output_tokens: request['max_output_tokens'] ?? null,
    metadata: {},
    model,
    parallel_tool_calls: request['parallel_tool_calls'] ?? true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null, ...asObject(reasoning) },
    service_tier: 'default',
    store: request['store'] ?? true,
    temperature: 1,
    text: { format: { type: 'text' }, verbosity: 'medium', ...asObject(text) },
    tool_choice: choice,
    tools,
    top_p: 1,
    truncation: 'disabled',
  };
}

function ending({ finish, usage, reasoningTokens }: AgentAnswer, output: Json[]): Json {
  const isCut = finish.type === 'length';
  const inputTokens = usage.inputTokens + usage.cacheReadTokens;
  return {
    status: isCut ? 'incomplete' : 'completed',
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    output,
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: 0 },
      output_tokens: usage.outputTokens,
      output_tokens_details: { reasoning_tokens: reasoningTokens },
      total_tokens: inputTokens + usage.outputTokens,
    },
  };
}
