import { parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import type { Encoded } from './encoded.ts';
import { getText, type Said } from './said.ts';

/** A correct response of Anthropic's messages. */
export function encodeMessages(said: Said): Encoded {
  const { pieces, calls, input, output } = said;
  const stop = { stop_reason: calls.length === 0 ? 'end_turn' : 'tool_use', stop_sequence: null };
  const head = { id: 'msg_matrix1', type: 'message', role: 'assistant', model: 'matrix' };
  const counts = (tokens: number) => ({ input_tokens: input, output_tokens: tokens });
  const text = pieces.length === 0 ? [] : [{ type: 'text', text: getText(said) }];
  const tools = calls.map(({ id, name, arguments: json }) => ({
    type: 'tool_use',
    id,
    name,
    input: parse(json),
  }));
  const blocks = [
    ...(pieces.length === 0
      ? []
      : [
          {
            start: { type: 'text', text: '' },
            deltas: pieces.map((piece) => ({ type: 'text_delta', text: piece })),
          },
        ]),
    ...calls.map(({ id, name, arguments: json }) => ({
      start: { type: 'tool_use', id, name, input: {} },
      deltas: [{ type: 'input_json_delta', partial_json: json }],
    })),
  ];
  const message = { ...head, content: [], stop_reason: null, stop_sequence: null, usage: counts(1) };
  return {
    body: { ...head, content: [...text, ...tools], ...stop, usage: counts(output) },
    events: [
      write({ type: 'message_start', message }),
      ...blocks.flatMap(({ start, deltas }, index) => [
        write({ type: 'content_block_start', index, content_block: start }),
        ...deltas.map((delta) => write({ type: 'content_block_delta', index, delta })),
        write({ type: 'content_block_stop', index }),
      ]),
      write({ type: 'message_delta', delta: stop, usage: { output_tokens: output } }),
      write({ type: 'message_stop' }),
    ],
  };
}

/** A whole message has no text in place of the object. */
function parse(json: string): JsonObject {
  return parseJsonObject(json) ?? {};
}

function write(data: { type: string; [member: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}
