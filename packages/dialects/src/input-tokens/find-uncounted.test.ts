import { describe, expect, it } from 'vitest';
import { getCodec } from '../codec.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { describeInput } from './describe-input.ts';

const HIDDEN = 'lorem ipsum dolor';
const USER = { role: 'user', content: 'Hello' };
const DIALECTS = {
  chat: ['openai-chat', { model: 'm', messages: [USER] }],
  messages: ['anthropic-messages', { model: 'm', max_tokens: 5, messages: [USER] }],
  responses: ['openai-responses', { model: 'm', input: [USER] }],
} as const;
type Endpoint = keyof typeof DIALECTS;

function findIn(endpoint: Endpoint, change: JsonObject): string {
  const [dialect, base] = DIALECTS[endpoint];
  const body: JsonObject = { ...base, ...change };
  const decoded = getCodec(dialect).decodeRequest(body);
  if (!decoded.ok) throw new Error(decoded.error.message);
  return describeInput(decoded.value, 'gpt-5.5', body).uncounted;
}

const chatTool = (name: string, more: JsonObject = {}) => ({
  type: 'function',
  function: { name, description: `Runs ${name}`, parameters: { type: 'object' }, ...more },
});
const tool = (name: string, more: JsonObject = {}) => ({
  type: 'function',
  name,
  description: `Runs ${name}`,
  parameters: { type: 'object' },
  ...more,
});
const chatChoice = { mode: 'auto', tools: [{ type: 'function', function: { name: 'a' } }] };
const choice = { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'a' }] };

it.each<[string, Endpoint, JsonObject]>([
  [
    'a tool that may not be called',
    'chat',
    {
      tools: [chatTool('a'), chatTool('b', { description: HIDDEN })],
      tool_choice: { type: 'allowed_tools', allowed_tools: chatChoice },
    },
  ],
  [
    'a tool that may not be called',
    'responses',
    { tools: [tool('a'), tool('b', { description: HIDDEN })], tool_choice: choice },
  ],
  ['an unknown member of a tool', 'chat', { tools: [chatTool('a', { examples: [HIDDEN] })] }],
  [
    'examples of a tool',
    'messages',
    { tools: [{ name: 'a', input_schema: { type: 'object' }, input_examples: [{ a: HIDDEN }] }] },
  ],
  ['an unknown member of a tool', 'responses', { tools: [tool('a', { output_schema: { title: HIDDEN } })] }],
  [
    'the name of an instruction',
    'chat',
    { messages: [{ role: 'system', name: HIDDEN, content: 'x' }, USER] },
  ],
  [
    'the name of a result',
    'chat',
    { messages: [USER, { role: 'tool', tool_call_id: 'c', name: HIDDEN, content: 'x' }] },
  ],
  ['an unknown member of a message', 'messages', { messages: [{ ...USER, context: HIDDEN }] }],
  ['a name in an unknown member', 'chat', { messages: [{ ...USER, context: { [HIDDEN]: 1 } }] }],
  [
    'an unknown member of a part',
    'responses',
    {
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'x', note: HIDDEN }] }],
    },
  ],
  [
    'a long id',
    'chat',
    {
      messages: [USER, { role: 'tool', tool_call_id: HIDDEN.repeat(10), content: 'x' }],
    },
  ],
  [
    'text in place of encrypted reasoning',
    'responses',
    {
      input: [USER, { type: 'reasoning', summary: [], encrypted_content: 'x', signature: HIDDEN }],
    },
  ],
  [
    'the description of an output format',
    'responses',
    {
      text: { format: { type: 'json_schema', name: 'x', description: HIDDEN, schema: {} } },
    },
  ],
  [
    'a second output format',
    'messages',
    {
      output_config: { format: { type: 'json_schema', schema: {} } },
      output_format: { type: 'json_schema', schema: { description: HIDDEN } },
    },
  ],
  ['variables of a prompt template', 'chat', { chat_template_kwargs: { documents: [HIDDEN] } }],
  ...['id', 'type', 'signature', 'cache_control', 'data', 'thinking'].flatMap(
    (name): [string, Endpoint, JsonObject][] => [
      [
        `the member ${name} of a template's variable`,
        'chat',
        { chat_template_kwargs: { d: [{ [name]: HIDDEN }] } },
      ],
      [
        `the member ${name} of an example of a tool`,
        'messages',
        { tools: [{ name: 'a', input_schema: { type: 'object' }, input_examples: [{ [name]: HIDDEN }] }] },
      ],
      [
        `the member ${name} of an unknown member of a tool`,
        'responses',
        { tools: [tool('a', { examples: [{ [name]: HIDDEN }] })] },
      ],
    ],
  ),
  [
    'an address in an example of a tool',
    'chat',
    { tools: [chatTool('a', { examples: [{ url: `https://${HIDDEN}` }] })] },
  ],
  [
    'reasoning of an earlier turn, which newer models read',
    'messages',
    {
      messages: [
        USER,
        { role: 'assistant', content: [{ type: 'thinking', thinking: HIDDEN, signature: 'c2ln' }] },
        USER,
      ],
    },
  ],
  ['instructions of another dialect', 'chat', { instructions: HIDDEN }],
  [
    'a text that is repeated where nothing counts it',
    'chat',
    {
      messages: [{ role: 'user', content: HIDDEN }],
      system: HIDDEN,
    },
  ],
])('finds %s: %s', (_name, endpoint, change) => {
  expect(findIn(endpoint, change)).toContain(HIDDEN);
});

it('finds each value of an example of a tool, also values without text', () => {
  const examples = [true, true, null, {}, [], 1];
  const given = {
    name: 'a',
    input_schema: { type: 'object', additionalProperties: true },
    input_examples: examples,
  };
  expect(findIn('messages', { tools: [given] })).toContain(JSON.stringify(examples));
});

describe('finds nothing', () => {
  const image = 'data:image/png;base64,iVBORw0KGgo=';
  it.each<[string, Endpoint, JsonObject]>([
    [
      'in a conversation with tools',
      'chat',
      {
        messages: [
          { role: 'developer', content: [{ type: 'text', text: 'Be brief' }] },
          { role: 'user', name: 'bob', content: [{ type: 'image_url', image_url: { url: image } }] },
          {
            role: 'assistant',
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'a', arguments: '{"x":1}' } }],
          },
          { role: 'tool', tool_call_id: 'c', content: 'Done' },
        ],
        tools: [chatTool('a'), { type: 'custom', custom: { name: 'sql', description: 'Runs SQL' } }],
        response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' } } },
        metadata: { a: HIDDEN },
        user: HIDDEN,
      },
    ],
    [
      'in a conversation with tools',
      'messages',
      {
        system: [{ type: 'text', text: 'Be brief', cache_control: { type: 'ephemeral' } }],
        messages: [
          USER,
          {
            role: 'assistant',
            content: [
              { type: 'redacted_thinking', data: 'c2ln' },
              { type: 'tool_use', id: 'toolu_1', name: 'a', input: { x: { y: [1, 'z'] } } },
              { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'q' } },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'Done' }] },
              { type: 'document', title: 'T', source: { type: 'text', media_type: 'text/plain', data: 'D' } },
            ],
          },
        ],
        tools: [
          { name: 'a', description: 'Runs a', input_schema: { type: 'object', properties: { x: {} } } },
          { type: 'bash_20250124', name: 'bash' },
        ],
      },
    ],
    [
      'in a conversation with tools',
      'responses',
      {
        instructions: 'Be brief',
        input: [
          {
            type: 'message',
            id: 'msg_1',
            role: 'user',
            content: [{ type: 'input_image', image_url: image }],
          },
          { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAABo==' },
          { type: 'function_call', call_id: 'c', name: 'a', arguments: '{"x":1}' },
          { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'Done' }] },
          { type: 'custom_tool_call', call_id: 'd', name: 'sql', input: 'SELECT 1' },
          { type: 'custom_tool_call_output', call_id: 'd', output: '1' },
          { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { query: 'q' } },
        ],
        tools: [tool('a'), { type: 'namespace', name: 'n', tools: [tool('b')] }, { type: 'web_search' }],
        include: ['reasoning.encrypted_content'],
        client_metadata: { session: HIDDEN },
      },
    ],
  ])('%s: %s', (_name, endpoint, change) => {
    expect(findIn(endpoint, change)).toBe('');
  });
});

it('takes little time for arguments within arguments', () => {
  let nested: JsonObject = { list: Array.from({ length: 100_000 }, (_, at) => `"${at}"`) };
  for (let level = 0; level < 90; level += 1) nested = { input: nested };
  const before = process.threadCpuUsage();
  findIn('messages', { messages: [{ ...USER, unknown: nested }] });
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(150);
});
