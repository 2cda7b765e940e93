import { describe, expect, it } from 'vitest';
import { encodeAnthropicRequest } from '../anthropic-messages/encode-request.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { decodeOpenAiChatRequest } from '../openai-chat/decode-request.ts';
import { encodeOpenAiChatResponse } from '../openai-chat/encode-response.ts';
import { createOpenAiChatStreamEncoder } from '../openai-chat/encode-stream.ts';
import { decodeOpenAiResponsesResponse } from '../openai-responses/decode-response.ts';
import { createOpenAiResponsesStreamDecoder } from '../openai-responses/decode-stream.ts';
import { encodeOpenAiResponsesRequest } from '../openai-responses/encode-request.ts';

const GRAMMAR = { syntax: 'regex', definition: 'SELECT .*' };
const SQL = {
  type: 'custom',
  custom: { name: 'sql', description: 'Runs SQL.', format: { type: 'grammar', grammar: GRAMMAR } },
};
const BODY: JsonObject = {
  model: 'm',
  tools: [SQL],
  tool_choice: { type: 'custom', custom: { name: 'sql' } },
  messages: [
    { role: 'user', content: 'How many?' },
    {
      role: 'assistant',
      tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: '1' },
  ],
};
const ITEM = {
  type: 'custom_tool_call',
  id: 'ctc_1',
  call_id: 'c2',
  name: 'sql',
  status: 'completed',
  input: 'SELECT "2"',
};
const RESPONSE = { id: 'resp_1', object: 'response', model: 'm', status: 'completed', output: [ITEM] };
const CONTEXT = { requestId: 'req_1', model: 'm', nowSeconds: 1, requestBody: BODY };
const CALL = { id: 'c2', type: 'custom', custom: { name: 'sql', input: 'SELECT "2"' } };

function decoded(change: JsonObject = {}) {
  const request = decodeOpenAiChatRequest({ ...BODY, ...change });
  if (!request.ok) throw new Error(request.error.message);
  return request.value;
}

describe('a custom tool of chat completions', () => {
  it('goes to a provider of the Responses API as it is, with its calls and results', () => {
    const encoded = encodeOpenAiResponsesRequest(decoded());
    expect(encoded).toMatchObject({
      ok: true,
      dropped: [],
      body: {
        tools: [
          {
            type: 'custom',
            name: 'sql',
            description: 'Runs SQL.',
            format: { type: 'grammar', syntax: 'regex', definition: 'SELECT .*' },
          },
        ],
        tool_choice: { type: 'custom', name: 'sql' },
        input: [
          { role: 'user' },
          { type: 'custom_tool_call', call_id: 'c1', name: 'sql', input: 'SELECT 1' },
          { type: 'custom_tool_call_output', call_id: 'c1', output: '1' },
        ],
      },
    });
  });

  it.each([
    ['mcp', { type: 'mcp', server_label: 'l', server_url: 'https://e.example', require_approval: 'never' }],
    ['tool_search', { type: 'tool_search' }],
    ['namespace', { type: 'namespace', name: 'n', tools: [{ type: 'mcp' }] }],
    [
      'format',
      { name: 'sql', format: { type: 'grammar', tools: [], grammar: { type: 'mcp', syntax: 'lark' } } },
    ],
  ])('cannot be a tool of another kind at a provider of the Responses API: %s', (_, custom) => {
    const request = decoded({ tools: [{ type: 'custom', custom }], tool_choice: 'auto' });
    const { name, format } = asObject(custom) ?? {};
    expect(encodeOpenAiResponsesRequest(request)).toMatchObject({
      ok: true,
      body: {
        tools: [
          {
            type: 'custom',
            ...(name === undefined ? {} : { name }),
            ...(format === undefined ? {} : { format: { type: 'grammar', syntax: 'lark' } }),
          },
        ],
      },
    });
  });

  it('is a function for other providers', () => {
    expect(encodeAnthropicRequest(decoded(), { defaultMaxTokens: 9 })).toMatchObject({
      ok: true,
      body: {
        tools: [{ name: 'sql', input_schema: { required: ['input'] } }],
        tool_choice: { type: 'tool', name: 'sql' },
        messages: [
          { role: 'user' },
          { role: 'assistant', content: [{ type: 'tool_use', name: 'sql', input: { input: 'SELECT 1' } }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1' }] },
        ],
      },
    });
  });

  it('is called as one in a response', () => {
    const response = decodeOpenAiResponsesResponse(RESPONSE);
    if (response === null) throw new Error('It could not be read');
    expect(encodeOpenAiChatResponse(response, CONTEXT)).toMatchObject({
      choices: [{ message: { tool_calls: [CALL] }, finish_reason: 'tool_calls' }],
    });
  });

  it('is called as one in a stream', () => {
    const decoder = createOpenAiResponsesStreamDecoder();
    const encoder = createOpenAiChatStreamEncoder({
      ...CONTEXT,
      estimatedInputTokens: null,
      wantsStreamUsage: false,
    });
    const events: JsonObject[] = [
      { type: 'response.created', response: { ...RESPONSE, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: { ...ITEM, input: '' } },
      { type: 'response.custom_tool_call_input.delta', output_index: 0, item_id: 'ctc_1', delta: ITEM.input },
      { type: 'response.output_item.done', output_index: 0, item: ITEM },
      { type: 'response.completed', response: RESPONSE },
    ];
    const text = events
      .flatMap((event) => decoder.push({ event: String(event['type']), data: JSON.stringify(event) }))
      .map((event) => encoder.push(event))
      .join('');
    const deltas = [...text.matchAll(/^data: (\{.*)$/gm)].flatMap(([, data]) => {
      const [choice] = JSON.parse(data ?? '').choices as JsonObject[];
      return (asObject(choice?.['delta'])?.['tool_calls'] ?? []) as JsonObject[];
    });
    expect(deltas).toEqual([
      { index: 0, id: 'c2', type: 'custom', custom: { name: 'sql', input: '' } },
      { index: 0, custom: { input: 'SELECT "2"' } },
    ]);
    expect(text).toContain('"finish_reason":"tool_calls"');
  });

  it('is not needed for a search, which is dropped and listed', () => {
    const request = decoded({ tools: [], tool_choice: 'auto', web_search_options: {} });
    expect(encodeAnthropicRequest(request, { defaultMaxTokens: 9 })).toMatchObject({
      ok: true,
      dropped: ['web_search_options'],
    });
  });
});
