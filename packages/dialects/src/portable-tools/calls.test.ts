import { describe, expect, it } from 'vitest';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { encodeOpenAiResponsesResponse } from '../openai-responses/encode-response.ts';
import { createOpenAiResponsesStreamEncoder } from '../openai-responses/encode-stream.ts';
import {
  FUNCTION,
  getBody,
  getList,
  PATCH,
  SEARCH,
  sent,
  toChat,
  toMessages,
} from './encoded-tools.fixture.ts';

const EXEC = { type: 'exec', command: ['ls', '-l'], env: {}, timeout_ms: 10 };
const DIFF = { type: 'update_file', path: 'a.txt', diff: '@@\n-a\n+b' };
/** A call of each kind, with the function that represents it. */
const CALLS: [JsonObject, string, JsonObject][] = [
  [
    { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin' },
    'apply_patch',
    { input: '*** Begin' },
  ],
  [
    { type: 'local_shell_call', action: EXEC },
    'local_shell',
    { command: ['ls', '-l'], env: {}, timeout_ms: 10 },
  ],
  [{ type: 'apply_patch_call', operation: DIFF }, 'apply_patch', DIFF],
  [
    { type: 'tool_search_call', execution: 'client', arguments: { query: 'q' } },
    'tool_search',
    { query: 'q' },
  ],
  [
    {
      type: 'shell_call',
      action: { commands: ['ls'], timeout_ms: null, max_output_length: null },
      environment: { type: 'local' },
    },
    'shell',
    { commands: ['ls'] },
  ],
];
const TOOL_OF: Record<string, JsonObject> = {
  custom_tool_call: PATCH,
  local_shell_call: { type: 'local_shell' },
  apply_patch_call: { type: 'apply_patch' },
  tool_search_call: SEARCH,
  shell_call: { type: 'shell', environment: { type: 'local' } },
};
const RESULTS: [JsonObject, string][] = [
  [{ type: 'custom_tool_call_output', call_id: 'c1', output: 'Done' }, 'Done'],
  [
    { type: 'custom_tool_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'Done' }] },
    'Done',
  ],
  [{ type: 'local_shell_call_output', id: 'c1', output: 'Done' }, 'Done'],
  [{ type: 'apply_patch_call_output', call_id: 'c1', status: 'failed', output: 'No file' }, 'Error: No file'],
  [
    {
      type: 'shell_call_output',
      call_id: 'c1',
      output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 2 } }],
    },
    'a\nExit code: 2',
  ],
];

const CONTEXT = { requestId: 'req_1', model: 'm', nowSeconds: 1 };

describe('calls of tools that the client runs', () => {
  it.each(CALLS)('are sent as calls of functions: %j', (item, name, args) => {
    const input = [
      { role: 'user', content: 'Hi' },
      { type: 'reasoning', summary: [] },
      { ...item, call_id: 'c1' },
      { type: 'custom_tool_call_output', call_id: 'c1', output: 'Done' },
    ];
    const [, turn] = getList(sent(toChat({ input })).body['messages']);
    const [call] = getList(turn?.['tool_calls']);
    const called = asObject(call?.['function']);
    expect([call?.['id'], called?.['name']]).toEqual(['c1', name]);
    expect(JSON.parse(String(called?.['arguments']))).toEqual(args);
    expect(sent(toMessages({ input })).body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name, input: args }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1' }] },
    ]);
  });

  it.each(RESULTS)('return their results: %j', (item, text) => {
    const input = [
      { role: 'user', content: 'Hi' },
      { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{}' },
      item,
    ];
    expect(getList(sent(toChat({ input })).body['messages'])[2]).toEqual({
      role: 'tool',
      tool_call_id: 'c1',
      content: text,
    });
  });

  it.each(CALLS)('are returned as items of the type of the tool: %j', (item, name, args) => {
    const requestBody = getBody({ tools: [TOOL_OF[String(item['type'])]] });
    const call = { type: 'tool_call' as const, id: 'c1', name, arguments: JSON.stringify(args), cache: null };
    const response = encodeOpenAiResponsesResponse(
      {
        id: '',
        model: 'm',
        createdAt: 1,
        choices: [{ content: [call], finish: { type: 'tool_calls' } }],
        usage: null,
        serviceTier: null,
      },
      { ...CONTEXT, requestBody },
    );
    const [written] = getList(response['output']);
    expect(written).toEqual({ ...item, id: 'fc_1_0', status: 'completed', call_id: 'c1' });
    const stream = streamedItems([call], requestBody);
    expect(stream.done).toEqual([written]);
    expect(stream.output).toEqual([written]);
    expect(stream.types.filter((type) => type.includes('function_call'))).toEqual([]);
  });

  it('are returned with their namespace', () => {
    const name = 'multi_agent_v1__spawn_agent';
    const call = { type: 'tool_call' as const, id: 'c1', name, arguments: '{}', cache: null };
    const { done, added } = streamedItems([call], getBody());
    const expected = {
      type: 'function_call',
      call_id: 'c1',
      name: 'spawn_agent',
      namespace: 'multi_agent_v1',
    };
    expect(done).toMatchObject([{ ...expected, arguments: '{}' }]);
    expect(added).toMatchObject([expected]);
    const input = [{ role: 'user', content: 'Hi' }, ...done];
    expect(sent(toChat({ input })).body['messages']).toMatchObject([
      {},
      { tool_calls: [{ id: 'c1', function: { name } }] },
    ]);
  });

  it('of a plain function are its own, though a tool of a namespace has the same function name', () => {
    const plain = { ...FUNCTION, name: 'mcp__docs__search' };
    const docs = { type: 'namespace', name: 'mcp__docs', tools: [{ ...FUNCTION, name: 'search' }] };
    const call = { type: 'tool_call' as const, id: 'c1', name: plain.name, arguments: '{}', cache: null };
    const later = [{ type: 'additional_tools', role: 'developer', tools: [plain] }];
    for (const tools of [
      [plain, docs],
      [docs, plain],
    ])
      expect(streamedItems([call], getBody({ tools })).done).toMatchObject([{ name: plain.name }]);
    for (const body of [
      getBody({ tools: [docs, { type: 'namespace', name: 'mcp__docs', tools: [] }] }),
      getBody({ tools: [docs], input: later }),
    ])
      expect(streamedItems([call], body).done).toMatchObject([{ name: 'search', namespace: 'mcp__docs' }]);
  });

  it('of a local shell may have their command in one line', () => {
    const line = { id: 'c1', name: 'local_shell', arguments: '{"command":"ls -l"}' };
    expect(streamedItems([line], getBody()).done).toMatchObject([
      { type: 'local_shell_call', action: { command: ['bash', '-lc', 'ls -l'] } },
    ]);
  });

  it('stream the text of a custom call', () => {
    const call = {
      type: 'tool_call' as const,
      id: 'c1',
      name: 'apply_patch',
      arguments: 'not JSON',
      cache: null,
    };
    const { events } = streamedItems([call], getBody());
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'response.custom_tool_call_input.delta',
        item_id: 'fc_1_0',
        output_index: 0,
        delta: 'not JSON',
      }),
    );
  });
});

function streamedItems(calls: { id: string; name: string; arguments: string }[], requestBody: JsonObject) {
  const encoder = createOpenAiResponsesStreamEncoder({
    ...CONTEXT,
    requestBody,
    estimatedInputTokens: null,
    wantsStreamUsage: true,
  });
  let text = encoder.push({ type: 'start', id: '', model: 'm', createdAt: 1, usage: null });
  for (const [block, { id, name, arguments: json }] of calls.entries()) {
    text += encoder.push({ type: 'block_start', choice: 0, block, start: { type: 'tool_call', id, name } });
    text += encoder.push({ type: 'arguments_delta', choice: 0, block, json: json.slice(0, 3) });
    text += encoder.push({ type: 'arguments_delta', choice: 0, block, json: json.slice(3) });
    text += encoder.push({ type: 'block_end', choice: 0, block });
  }
  text += encoder.push({ type: 'finish', choice: 0, reason: { type: 'tool_calls' } });
  text += encoder.push({ type: 'end' });
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]): JsonObject => JSON.parse(data ?? ''));
  const getItems = (type: string) => events.filter((event) => event['type'] === type).map(({ item }) => item);
  const response = asObject(events.at(-1)?.['response']);
  return {
    events,
    types: events.map(({ type }) => String(type)),
    added: getItems('response.output_item.added'),
    done: getList(getItems('response.output_item.done')),
    output: response?.['output'],
  };
}

describe('items of tools that a provider ran', () => {
  it('are dropped and listed, and the text around them stays one turn', () => {
    const input = [
      { role: 'user', content: 'Hi' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search' } },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Rain.' }] },
      { type: 'mcp_list_tools', server_label: 'docs', tools: [] },
      { role: 'user', content: 'Thanks' },
    ];
    const { body, dropped } = sent(toMessages({ input, tools: [] }));
    expect(dropped).toEqual(['web_search_call', 'mcp_list_tools']);
    expect(body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'text', text: 'Rain.' }] },
      { role: 'user' },
    ]);
  });

  it('are dropped with their results: a shell in a container, and a search for tools', () => {
    const environment = { type: 'container_reference', container_id: 'cntr_1' };
    const input = [
      { role: 'user', content: 'Hi' },
      { type: 'shell_call', call_id: 'c1', action: { commands: ['ls'] }, environment },
      { type: 'shell_call_output', call_id: 'c1', output: [] },
      { type: 'tool_search_call', id: 'tsc_1', execution: 'server', call_id: null, arguments: {} },
      { type: 'tool_search_output', id: 'tso_1', execution: 'server', call_id: null, tools: [FUNCTION] },
      { role: 'user', content: 'Thanks' },
    ];
    const dropped = ['shell_call', 'shell_call_output', 'tool_search_call', 'tool_search_output'];
    for (const encoded of [toMessages({ input, tools: [] }), toChat({ input, tools: [] })]) {
      expect(sent(encoded).dropped).toEqual(dropped);
      const messages = getList(sent(encoded).body['messages']);
      expect(messages.map(({ role }) => role)).not.toContain('tool');
      expect(JSON.stringify(messages)).not.toContain('tool_result');
    }
  });
});
