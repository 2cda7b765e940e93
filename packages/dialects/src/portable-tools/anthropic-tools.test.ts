import { describe, expect, it } from 'vitest';
import { decodeAnthropicRequest } from '../anthropic-messages/decode-request.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { encodeOpenAiChatRequest } from '../openai-chat/encode-request.ts';
import { encodeOpenAiResponsesRequest } from '../openai-responses/encode-request.ts';

const BASH = { type: 'bash_20250124', name: 'bash' };
const EDITOR = { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool', max_characters: 100 };
const MEMORY = { type: 'memory_20250818', name: 'memory' };
const WEB = { type: 'web_search_20250305', name: 'web_search', max_uses: 3 };

const ENCODERS = [
  ['chat completions', encodeOpenAiChatRequest],
  ['responses', encodeOpenAiResponsesRequest],
] as const;

function encode(change: JsonObject, encoder: (typeof ENCODERS)[number][1]) {
  const decoded = decodeAnthropicRequest({
    model: 'm',
    max_tokens: 10,
    messages: [{ role: 'user', content: 'Hi' }],
    ...change,
  });
  if (!decoded.ok) throw new Error(decoded.error.message);
  return encoder(decoded.value);
}

describe.each(ENCODERS)('tools that Anthropic defines, at a provider of %s', (_name, encoder) => {
  it('become functions if the client runs them, and are dropped and listed otherwise', () => {
    const encoded = encode({ tools: [BASH, EDITOR, MEMORY, WEB] }, encoder);
    expect(encoded).toMatchObject({ ok: true, dropped: ['tools.web_search'] });
    const text = JSON.stringify(encoded);
    for (const name of ['bash', 'str_replace_based_edit_tool', 'memory'])
      expect(text).toContain(`"name":"${name}"`);
    expect(text).toContain('"enum":["view","create","str_replace","insert","delete","rename"]');
    expect(text).not.toContain('max_uses');
  });

  it('can be forced unless they are dropped', () => {
    const choice = (name: string) => ({ tool_choice: { type: 'tool', name } });
    expect(encode({ tools: [BASH], ...choice('bash') }, encoder)).toMatchObject({ ok: true });
    expect(encode({ tools: [BASH, WEB], ...choice('web_search') }, encoder)).toMatchObject({
      ok: false,
      error: { code: 'unsupported_parameter', param: 'tool_choice' },
    });
    expect(encode({ tools: [WEB], tool_choice: { type: 'any' } }, encoder)).toMatchObject({
      ok: false,
      error: { code: 'unsupported_parameter', param: 'tools' },
    });
  });

  it('name the inserted text as their version does', () => {
    const old = { type: 'text_editor_20250124', name: 'str_replace_editor' };
    expect(JSON.stringify(encode({ tools: [old] }, encoder))).toContain('undo_edit');
    expect(JSON.stringify(encode({ tools: [old] }, encoder))).not.toContain('insert_text');
    expect(JSON.stringify(encode({ tools: [EDITOR] }, encoder))).toContain('insert_text');
  });

  it('search results become text with their title and source, also as the result of a tool', () => {
    const result = {
      type: 'search_result',
      source: 'https://example.com',
      title: 'Weather',
      content: [{ type: 'text', text: 'It rains.' }],
      citations: { enabled: true },
    };
    const messages = [
      { role: 'user', content: [result, { type: 'text', text: 'Hi' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'bash', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [result] }] },
    ];
    const encoded = encode({ messages }, encoder);
    expect(encoded.ok).toBe(true);
    const texts = JSON.stringify(encoded).split('Weather\\nhttps://example.com\\n\\nIt rains.');
    expect(texts).toHaveLength(3);
  });
});
