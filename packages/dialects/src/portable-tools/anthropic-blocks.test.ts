import { describe, expect, it } from 'vitest';
import { decodeAnthropicRequest } from '../anthropic-messages/decode-request.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { encodeOpenAiChatRequest } from '../openai-chat/encode-request.ts';
import { encodeOpenAiResponsesRequest } from '../openai-responses/encode-request.ts';

const ENCODERS = [
  ['chat completions', encodeOpenAiChatRequest],
  ['responses', encodeOpenAiResponsesRequest],
] as const;

function encode(messages: readonly unknown[], encoder: (typeof ENCODERS)[number][1]) {
  const decoded = decodeAnthropicRequest({ model: 'm', max_tokens: 10, system: 'Be kind.', messages });
  return decoded.ok ? encoder(decoded.value) : decoded;
}

const said = (text: string) => ({ type: 'text', text });
const user = (...content: readonly unknown[]) => ({ role: 'user', content });
const assistant = (...content: readonly unknown[]) => ({ role: 'assistant', content });
const CALL = {
  type: 'tool_use',
  id: 'toolu_1',
  name: 'ToolSearch',
  input: { query: 'select:mcp__docs__get' },
};
const toResult = (...content: readonly unknown[]) =>
  user({ type: 'tool_result', tool_use_id: 'toolu_1', content });

describe.each(ENCODERS)('blocks that only Anthropic has, at a provider of %s', (_name, encoder) => {
  it('are text if they name a tool that the search of the client has found', () => {
    const found = [
      { type: 'tool_reference', tool_name: 'mcp__docs__get' },
      { type: 'tool_reference', tool_name: 'mcp__docs__list' },
    ];
    const encoded = encode([user(said('Hi')), assistant(CALL), toResult(...found)], encoder);
    expect(encoded).toMatchObject({ ok: true, dropped: [] });
    const text = JSON.stringify(encoded);
    expect(text).toContain('"The tool mcp__docs__get can be called now."');
    expect(text).toContain('"The tool mcp__docs__list can be called now."');
  });

  it.each<JsonObject>([
    {
      type: 'advisor_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: { type: 'advisor_result', text: 'b' },
    },
    { type: 'any_later_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
    { type: 'mcp_tool_listing', mcp_server_name: 'docs', tools: [] },
    { type: 'fallback', from: { model: 'a' }, to: { model: 'b' } },
    { type: 'compaction', content: null },
  ])('are left out and listed if they are about its own tools and models: $type', (block) => {
    const messages = [user(said('Hi')), assistant(said('a'), block, said('c')), user(said('And?'))];
    const encoded = encode(messages, encoder);
    expect(encoded).toMatchObject({ ok: true, dropped: [block['type']] });
    const without = encode([messages[0], assistant(said('a'), said('c')), messages[2]], encoder);
    expect(encoded).toEqual({ ...without, dropped: [block['type']] });
  });

  it('replace the conversation before them if they sum it up', () => {
    const compacted = (summary: string | null) => ({ type: 'compaction', content: summary });
    const messages = [
      user(said('First')),
      assistant(said('a'), compacted('Older.'), said('b')),
      user(said('Second')),
      assistant(said('c'), compacted('It rains.'), compacted(null), CALL),
      toResult(said('d')),
    ];
    const encoded = encode(messages, encoder);
    const kept = [
      user(said('Summary of the earlier conversation, which it replaces:\n\nIt rains.')),
      assistant(CALL),
      toResult(said('d')),
    ];
    expect(encoded).toEqual({ ...encode(kept, encoder), dropped: ['compaction'] });
    const last = encode(
      [user(said('First')), assistant(compacted('It rains.')), user(said('And?'))],
      encoder,
    );
    expect(last).toEqual(encode([kept[0], user(said('And?'))], encoder));
  });

  it('are refused if the answer would be about something else without them', () => {
    for (const block of [{ type: 'container_upload', file_id: 'file_1' }, { type: 'any_later_block' }])
      expect(encode([user(said('Hi'), block)], encoder)).toMatchObject({
        ok: false,
        error: { code: 'unsupported_parameter', param: 'messages.1.content.1' },
      });
  });
});

describe('a block of a known type', () => {
  it.each([
    [user(CALL), 'messages.0.content.0.type'],
    [assistant({ type: 'image', source: {} }), 'messages.0.content.0.type'],
    [user({ type: 'text' }), 'messages.0.content.0.text'],
    [user({}), 'messages.0.content.0.type'],
    [user({ type: '' }), 'messages.0.content.0.type'],
    [toResult({ type: 'tool_result', tool_use_id: 'x' }), 'messages.0.content.0.content.0.type'],
  ])('is invalid in another place, and if it is not complete: %j', (message, param) => {
    expect(encode([message], encodeOpenAiChatRequest)).toMatchObject({
      ok: false,
      error: { code: 'invalid_request', param },
    });
  });
});
