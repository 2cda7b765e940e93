import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAnthropicCountRequest } from './anthropic-messages/count-request.ts';
import { parseAnthropicMessagesRequest } from './anthropic-messages/parse-request.ts';
import { createInputTraits, type InputTraits } from './input-traits.ts';
import { parseOpenAiEmbeddingsRequest } from './openai-embeddings/parse-request.ts';
import { parseOpenAiChatRequest } from './openai-chat/parse-request.ts';
import { parseOpenAiResponsesRequest } from './openai-responses/parse-request.ts';

const PARSERS = {
  chat: parseOpenAiChatRequest,
  messages: parseAnthropicMessagesRequest,
  count: parseAnthropicCountRequest,
  responses: parseOpenAiResponsesRequest,
};
type EndpointSpec = keyof typeof PARSERS;

const PNG = 'data:image/png;base64,iVBORw0KGgo=';
const mark = { cache_control: { type: 'ephemeral' } };
const base64 = (mediaType: string) => ({ type: 'base64', media_type: mediaType, data: 'AAAA' });

function getTraits(spec: EndpointSpec, text: string): InputTraits {
  const parsed = PARSERS[spec](text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const { writesCache, mediaParts, hasUnboundedInput, describedTools } = parsed.value;
  return {
    writesCache,
    mediaParts,
    hasUnboundedInput,
    ...(describedTools !== undefined && { describedTools }),
  };
}

const getBody = (spec: EndpointSpec, members: object) => ({
  model: 'm',
  max_tokens: 5,
  [spec === 'responses' ? 'input' : 'messages']: [{ role: 'user', content: 'Hi' }],
  ...members,
});
const readMembers = (spec: EndpointSpec, members: object) =>
  getTraits(spec, JSON.stringify(getBody(spec, members)));
const readParts = (spec: EndpointSpec, ...content: object[]) =>
  readMembers(spec, { [spec === 'responses' ? 'input' : 'messages']: [{ role: 'user', content }] });

/** Every letter of every string as an escape, which is the same JSON. */
const escapeAll = (json: string) =>
  json.replace(
    /"[^"\\]*"/g,
    (text) =>
      `"${Array.from(text.slice(1, -1), (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`,
  );

describe('the input traits of a request', () => {
  it.each(['chat', 'messages', 'count', 'responses'] as const)('are empty for plain text: %s', (spec) => {
    expect(readMembers(spec, {})).toEqual(createInputTraits());
  });

  it.each<[EndpointSpec, object, Partial<InputTraits>]>([
    ['chat', { type: 'text', text: 'a' }, {}],
    ['chat', { type: 'image_url', image_url: { url: PNG } }, { mediaParts: 1 }],
    ['chat', { type: 'image_url', image_url: PNG }, { mediaParts: 1 }],
    ['chat', { type: 'image_url', image_url: { url: 'https://a.b/c.png' } }, { mediaParts: 1 }],
    [
      'chat',
      { type: 'image_url', image_url: { url: 'data:application/pdf;base64,AA==' } },
      { hasUnboundedInput: true },
    ],
    ['chat', { type: 'input_audio', input_audio: { format: 'mp3', data: 'AAAA' } }, { mediaParts: 1 }],
    ['chat', { type: 'input_audio', input_audio: { data: 'data:audio/mp3;base64,AAAA' } }, { mediaParts: 1 }],
    [
      'chat',
      { type: 'input_audio', input_audio: { data: 'https://a.b/c.mp3' } },
      { hasUnboundedInput: true },
    ],
    ['responses', { type: 'input_audio', input_audio: { data: 'gs://a/c' } }, { hasUnboundedInput: true }],
    ['chat', { type: 'file', file: { file_data: 'AAAA' } }, { hasUnboundedInput: true }],
    ['chat', { type: 'video_url', video_url: { url: 'https://a.b' } }, { hasUnboundedInput: true }],
    ['chat', { type: 'text', text: 'a', ...mark }, { writesCache: true }],
    ['chat', { type: 'text', text: 'a', prompt_cache_breakpoint: {} }, { writesCache: true }],
    ['chat', { type: 'text', text: 'a', cache_control: null }, {}],
    ['messages', { type: 'image', source: base64('image/png') }, { mediaParts: 1 }],
    ['messages', { type: 'image', source: { type: 'file', file_id: 'f' } }, { mediaParts: 1 }],
    ['messages', { type: 'document', source: base64('application/pdf') }, { hasUnboundedInput: true }],
    [
      'messages',
      { type: 'document', source: { type: 'url', url: 'https://a.b' } },
      { hasUnboundedInput: true },
    ],
    ['messages', { type: 'document', source: { type: 'text', data: 'a' } }, {}],
    [
      'messages',
      {
        type: 'document',
        source: { type: 'content', content: [{ type: 'image', source: base64('image/png') }] },
      },
      { mediaParts: 1 },
    ],
    ['messages', { type: 'text', text: 'a', ...mark }, { writesCache: true }],
    [
      'messages',
      {
        type: 'tool_result',
        tool_use_id: 't',
        content: [
          { type: 'image', source: base64('image/png') },
          { type: 'text', text: 'a', ...mark },
        ],
      },
      { mediaParts: 1, writesCache: true },
    ],
    ['messages', { type: 'container_upload', file_id: 'f' }, { hasUnboundedInput: true }],
    ['responses', { type: 'input_image', image_url: PNG }, { mediaParts: 1 }],
    ['responses', { type: 'input_image', file_id: 'f' }, { mediaParts: 1 }],
    ['responses', { type: 'input_file', file_id: 'f' }, { hasUnboundedInput: true }],
    ['responses', { type: 'input_text', text: 'a', ...mark }, { writesCache: true }],
  ])('comes from its parts: %s %j', (spec, part, traits) => {
    const expected = { ...createInputTraits(), ...traits };
    expect(readParts(spec, part)).toEqual(expected);
    const several = readParts(
      spec,
      part,
      { type: spec === 'responses' ? 'input_text' : 'text', text: 'b' },
      part,
    );
    expect(several).toEqual({ ...expected, mediaParts: expected.mediaParts * 2 });
    const [key, list] = [spec === 'responses' ? 'input' : 'messages', [{ role: 'user', content: [part] }]];
    expect(getTraits(spec, escapeAll(JSON.stringify(getBody(spec, { [key]: list }))))).toEqual(expected);
  });

  it.each<[EndpointSpec, object, Partial<InputTraits>]>([
    ['chat', { tools: [{ type: 'function', function: { name: 'f' } }] }, {}],
    ['chat', { tools: [{ type: 'function', function: { name: 'f' }, ...mark }] }, { writesCache: true }],
    ['chat', { tools: [{ type: 'web_search' }] }, { describedTools: 1 }],
    ['chat', { web_search_options: {} }, { hasUnboundedInput: true }],
    ['chat', { plugins: [] }, {}],
    ['chat', { plugins: [{ id: 'web' }] }, { hasUnboundedInput: true }],
    ['chat', { messages: [{ role: 'assistant', audio: { id: 'a' } }] }, { hasUnboundedInput: true }],
    ['chat', mark, { writesCache: true }],
    [
      'chat',
      { messages: [{ role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f' }, ...mark }] }] },
      { writesCache: true },
    ],
    ['messages', { tools: [{ name: 'f', input_schema: {} }] }, {}],
    ['messages', { tools: [{ name: 'f', input_schema: {}, ...mark }] }, { writesCache: true }],
    ['messages', { tools: [{ type: 'bash_20250124', name: 'bash' }] }, { describedTools: 1 }],
    [
      'messages',
      {
        messages: [{ role: 'system', content: [{ type: 'tool_addition', tool: { type: 'bash_20250124' } }] }],
      },
      { describedTools: 1 },
    ],
    ['messages', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, { describedTools: 1 }],
    ['messages', { system: [{ type: 'text', text: 'a', ...mark }] }, { writesCache: true }],
    ['messages', { mcp_servers: [{ type: 'url' }] }, { hasUnboundedInput: true }],
    ['messages', mark, { writesCache: true }],
    ['responses', { tools: [{ type: 'function', name: 'f' }] }, {}],
    [
      'messages',
      { tools: [{ type: 'advisor_20260301', model: 'm' }] },
      { describedTools: 1, hasUnboundedInput: true },
    ],
    ['responses', { tools: [{ type: 'local_shell' }] }, { describedTools: 1 }],
    ['responses', { tools: [{ type: 'file_search' }] }, { describedTools: 1 }],
    [
      'responses',
      {
        tools: [
          {
            type: 'namespace',
            tools: [
              { type: 'function', name: 'f' },
              { type: 'custom', name: 'c' },
            ],
          },
        ],
      },
      { describedTools: 1 },
    ],
    [
      'responses',
      { input: [{ type: 'additional_tools', tools: [{ type: 'web_search' }, { type: 'tool_search' }] }] },
      { describedTools: 2 },
    ],
    ['responses', { input: [{ type: 'future_item', text: 'Done.' }] }, {}],
    [
      'responses',
      {
        input: [
          {
            type: 'configuration_update',
            tools: [{ type: 'function', name: 'f', parameters: { properties: { path: {} } } }],
            text: { format: { type: 'json_schema', schema: { properties: { asset_id: {} } } } },
          },
        ],
      },
      {},
    ],
    [
      'responses',
      { input: [{ type: 'configuration_update', prompt: { asset_id: 'a' } }] },
      { hasUnboundedInput: true },
    ],
    [
      'responses',
      { input: [{ type: 'future_item', source: { url: 'https://a.b' } }] },
      { hasUnboundedInput: true },
    ],
    [
      'responses',
      {
        input: [
          { type: 'web_search_call', id: 'w', action: { type: 'open_page', url: 'https://a.b' } },
          {
            type: 'computer_call_output',
            call_id: 'c',
            output: { type: 'computer_screenshot', image_url: PNG },
          },
        ],
      },
      { mediaParts: 1 },
    ],
    [
      'responses',
      {
        input: [
          { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', image_url: PNG }] },
        ],
      },
      { mediaParts: 1 },
    ],
  ])('comes from its members: %s %j', (spec, members, traits) => {
    expect(readMembers(spec, members)).toEqual({ ...createInputTraits(), ...traits });
  });

  it('counts unrealistically deep nesting as unbounded', () => {
    const nest = (levels: number): object =>
      levels === 0
        ? { type: 'text', text: 'a' }
        : { type: 'tool_result', tool_use_id: 't', content: [nest(levels - 1)] };
    expect(readParts('messages', nest(1)).hasUnboundedInput).toBe(false);
    expect(readParts('messages', nest(2_000)).hasUnboundedInput).toBe(true);
  });

  it('is found, or the request is refused, for any members', () => {
    const anything = fc.array(
      fc.oneof(fc.jsonValue(), fc.record({ type: fc.jsonValue(), content: fc.jsonValue() })),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('chat', 'messages', 'count', 'responses'),
        anything,
        anything,
        (spec, content, tools) => {
          const key = spec === 'responses' ? 'input' : 'messages';
          const body = getBody(spec, { [key]: [{ role: 'user', content }], tools, system: content });
          expect(PARSERS[spec](JSON.stringify(body))).toHaveProperty('ok');
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is nothing but its size for embeddings, which write nothing', () => {
    expect(parseOpenAiEmbeddingsRequest('{"model":"m","input":"a"}')).toMatchObject({
      value: { ...createInputTraits(), maxOutputTokens: 0, choices: 1 },
    });
  });
});
