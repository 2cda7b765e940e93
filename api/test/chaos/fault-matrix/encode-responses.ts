import type { Encoded } from './encoded.ts';
import { getText, type Said } from './said.ts';

/** A correct response of OpenAI's Responses API. */
export function encodeResponses(said: Said): Encoded {
  const { input, output } = said;
  const items = [...getMessages(said), ...getCalls(said)];
  const response = {
    id: 'resp_matrix1',
    object: 'response',
    created_at: 1_764_200_000,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model: 'matrix',
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
  };
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
  const open = { ...response, status: 'in_progress', output: [], usage: null };
  const body = { ...response, status: 'completed', output: items.map(({ item }) => item), usage };
  const events = [
    { type: 'response.created', response: open },
    { type: 'response.in_progress', response: open },
    ...items.flatMap(({ events: own }, index) => own.map((event) => ({ ...event, output_index: index }))),
    { type: 'response.completed', response: body },
  ];
  return { body, events: events.map((event, number) => write({ ...event, sequence_number: number })) };
}

interface Item {
  item: object;
  events: { type: string }[];
}

function getMessages(said: Said): Item[] {
  if (said.pieces.length === 0) return [];
  const text = getText(said);
  const head = { id: 'msg_matrix1', type: 'message', role: 'assistant' };
  const part = { type: 'output_text', text, annotations: [], logprobs: [] };
  const item = { ...head, status: 'completed', content: [part] };
  const at = { item_id: head.id, content_index: 0 };
  const delta = (piece: string) => ({
    type: 'response.output_text.delta',
    ...at,
    delta: piece,
    logprobs: [],
  });
  return [
    {
      item,
      events: [
        { type: 'response.output_item.added', item: { ...head, status: 'in_progress', content: [] } },
        { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
        ...said.pieces.map(delta),
        { type: 'response.output_text.done', ...at, text, logprobs: [] },
        { type: 'response.content_part.done', ...at, part },
        { type: 'response.output_item.done', item },
      ].map((event) => ({ ...event })),
    },
  ];
}

function getCalls({ calls }: Said): Item[] {
  return calls.map(({ id, name, arguments: json }, number) => {
    const head = { id: `fc_matrix${number}`, type: 'function_call', call_id: id, name };
    const item = { ...head, status: 'completed', arguments: json };
    const at = { item_id: head.id };
    return {
      item,
      events: [
        { type: 'response.output_item.added', item: { ...head, status: 'in_progress', arguments: '' } },
        { type: 'response.function_call_arguments.delta', ...at, delta: json },
        { type: 'response.function_call_arguments.done', ...at, name, arguments: json },
        { type: 'response.output_item.done', item },
      ].map((event) => ({ ...event })),
    };
  });
}

function write(data: { type: string; sequence_number: number }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}
