import { ERROR_TABLE } from '@tollgate/core/errors/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json/parse-object.ts';
import { decodeAnthropicRequest } from './decode-request.ts';

const PLAIN = { model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] };

function decode(members: JsonObject) {
  const decoded = decodeAnthropicRequest({ ...PLAIN, ...members });
  if (!decoded.ok) throw new Error(decoded.error.message);
  return decoded.value;
}

function getInvalidParam(members: JsonObject) {
  const decoded = decodeAnthropicRequest({ ...PLAIN, ...members });
  if (decoded.ok) throw new Error('It was taken');
  expect(decoded.error.code).toBe('invalid_request');
  return decoded.error.param;
}

const user = (...content: unknown[]) => ({ messages: [{ role: 'user', content }] });
const text = (words: string) => ({ type: 'text', text: words, citations: [], cache: null });
const result = (id: string, members: JsonObject) => ({ type: 'tool_result', tool_use_id: id, ...members });

describe('decodeAnthropicRequest', () => {
  it('reads system as a string and as blocks with cache breakpoints', () => {
    const said = { role: 'system', kind: 'system' };
    expect(decode({ system: 'Be brief.' }).messages[0]).toEqual({ ...said, content: [text('Be brief.')] });
    const blocks = [
      { type: 'text', text: 'A' },
      { type: 'text', text: 'B', cache_control: { type: 'ephemeral', ttl: '1h' } },
    ];
    expect(decode({ system: blocks }).messages[0]).toEqual({
      ...said,
      content: [text('A'), { ...text('B'), cache: { ttl: '1h' } }],
    });
  });

  it('turns each tool result into a message, in the order of the user’s content', () => {
    const { messages } = decode(
      user(
        result('a', { content: 'one' }),
        result('b', {
          is_error: true,
          content: [
            { type: 'text', text: 'two' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          ],
          cache_control: { type: 'ephemeral' },
        }),
        { type: 'text', text: 'Go on' },
        result('c', {}),
      ),
    );
    const image = {
      type: 'image',
      source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' },
      detail: null,
      cache: null,
    };
    expect(messages).toEqual([
      { role: 'tool', callId: 'a', content: [text('one')], isError: false, cache: null },
      { role: 'tool', callId: 'b', content: [text('two'), image], isError: true, cache: { ttl: null } },
      { role: 'user', name: null, content: [text('Go on')] },
      { role: 'tool', callId: 'c', content: [], isError: false, cache: null },
    ]);
  });

  it('reads documents: PDFs, URLs, plain text and uploaded files', () => {
    const document = (source: JsonObject, members: JsonObject = {}) => ({
      type: 'document',
      source,
      ...members,
    });
    const { messages } = decode(
      user(
        document(
          { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' },
          { title: 'T', context: 'C' },
        ),
        document({ type: 'url', url: 'https://example.com/a.pdf' }, { citations: { enabled: true } }),
        document({ type: 'text', media_type: 'text/plain', data: 'words' }),
        document({ type: 'file', file_id: 'file_1' }),
        document({ type: 'content', content: 'chunks' }),
      ),
    );
    const [message] = messages;
    expect(message?.content).toMatchObject([
      { title: 'T', context: 'C', citable: false, source: { kind: 'base64', mediaType: 'application/pdf' } },
      { citable: true, source: { kind: 'url' } },
      { source: { kind: 'text', text: 'words' } },
      { source: { kind: 'file', fileId: 'file_1' } },
      { type: 'opaque', name: 'document' },
    ]);
  });

  it('keeps reasoning, its signatures and hosted tools of an assistant unchanged', () => {
    const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } };
    const content = [
      { type: 'thinking', thinking: 'hm', signature: 'SIG' },
      { type: 'redacted_thinking', data: 'DATA' },
      search,
      { type: 'tool_use', id: 't', name: 'f', input: { b: 1, a: [2] } },
    ];
    expect(decode({ messages: [{ role: 'assistant', content }] }).messages).toEqual([
      {
        role: 'assistant',
        name: null,
        content: [
          { type: 'thinking', text: 'hm', signature: 'SIG' },
          { type: 'redacted_thinking', data: 'DATA' },
          { type: 'opaque', dialect: 'anthropic-messages', name: 'server_tool_use', value: search },
          { type: 'tool_call', id: 't', name: 'f', arguments: '{"b":1,"a":[2]}', cache: null },
        ],
      },
    ]);
  });

  it('distinguishes tools of the caller from tools of the provider', () => {
    const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 2 };
    const own = { name: 'f', input_schema: { type: 'object' }, strict: true, defer_loading: true };
    const decoded = decode({ tools: [own, search] });
    expect(decoded.tools).toEqual([
      { name: 'f', description: null, parameters: { type: 'object' }, strict: true, cache: null },
    ]);
    expect(decoded.hostedTools).toEqual([
      { dialect: 'anthropic-messages', name: 'web_search_20250305', value: search },
    ]);
    expect(decoded.extra).toEqual({ 'tools.defer_loading': true });
  });

  it.each([
    [{ type: 'auto' }, { type: 'auto' }, null],
    [{ type: 'any', disable_parallel_tool_use: true }, { type: 'required' }, false],
    [{ type: 'tool', name: 'f', disable_parallel_tool_use: false }, { type: 'tool', name: 'f' }, true],
    [{ type: 'none' }, { type: 'none' }, null],
  ])('reads the tool choice %j', (given, toolChoice, parallelToolCalls) => {
    expect(decode({ tool_choice: given })).toMatchObject({ toolChoice, parallelToolCalls });
  });

  it.each([
    [{ thinking: { type: 'disabled' } }, { type: 'off' }],
    [{ thinking: { type: 'enabled', budget_tokens: 2048 } }, { type: 'budget', tokens: 2048 }],
    [
      { thinking: { type: 'adaptive' }, output_config: { effort: 'max' } },
      { type: 'adaptive', effort: 'max' },
    ],
    [{ thinking: { type: 'adaptive' } }, { type: 'adaptive', effort: null }],
    [{ output_config: { effort: 'low' } }, { type: 'effort', effort: 'low' }],
    [{}, null],
  ])('reads the reasoning of %j', (members, reasoning) => {
    expect(decode(members).reasoning).toEqual(reasoning);
  });

  it('reads structured output under its name of today and that of its beta', () => {
    const format = { type: 'json_schema', schema: { type: 'object' } };
    for (const members of [{ output_config: { format } }, { output_format: format }]) {
      expect(decode(members).outputFormat).toMatchObject({ type: 'json_schema', schema: { type: 'object' } });
    }
  });

  it('keeps members that no canonical field holds under the names that callers know', () => {
    const members = {
      container: 'c',
      metadata: { user_id: 'u', more: 1 },
      thinking: { type: 'adaptive', display: 'omitted' },
    };
    const decoded = decode(members);
    expect(decoded.endUser).toBe('u');
    expect(decoded.extra).toEqual({ container: 'c', 'metadata.more': 1, 'thinking.display': 'omitted' });
  });

  it.each<[string, JsonObject]>([
    ['model', { model: '' }],
    ['max_tokens', { max_tokens: 0 }],
    ['max_tokens', { max_tokens: null }],
    ['messages', { messages: [] }],
    ['messages.0', { messages: [null] }],
    ['messages.0.role', { messages: [{ role: 'tool', content: '' }] }],
    ['messages.0.content', { messages: [{ role: 'user', content: 5 }] }],
    ['messages.0.content.1.text', user({ type: 'text', text: 'a' }, { type: 'text', text: 1 })],
    ['messages.0.content.0.type', user({ type: 'tool_use', id: 'a', name: 'f', input: {} })],
    ['messages.0.content.0.source.url', user({ type: 'image', source: { type: 'url' } })],
    ['messages.0.content.0.source.type', user({ type: 'image', source: { type: 'ftp' } })],
    ['messages.0.content.0.content.0.text', user(result('a', { content: [{ type: 'text' }] }))],
    [
      'messages.0.content.0.cache_control.ttl',
      user({ ...text('a'), cache_control: { type: 'ephemeral', ttl: '2h' } }),
    ],
    ['system.0.text', { system: [{ type: 'text' }] }],
    ['tools.0.name', { tools: [{ input_schema: {} }] }],
    ['tools.0.input_schema', { tools: [{ name: 'f', input_schema: 'x' }] }],
    ['tool_choice.name', { tool_choice: { type: 'tool' } }],
    ['thinking.budget_tokens', { thinking: { type: 'enabled', budget_tokens: 5 } }],
    ['temperature', { temperature: 1.5 }],
    ['stop_sequences.1', { stop_sequences: ['a', 1] }],
    ['output_config.format.schema', { output_config: { format: { type: 'json_schema' } } }],
  ])('names %s as the faulty member', (param, members) => {
    expect(getInvalidParam(members)).toBe(param);
  });

  it('answers any mutation of a request with a reading or an error that names its place', () => {
    const whole = {
      ...PLAIN,
      ...user(result('a', { content: [{ type: 'text', text: 't' }] }), {
        type: 'text',
        text: 'x',
        cache_control: null,
      }),
      system: [{ type: 'text', text: 's' }],
      tools: [{ name: 'f', input_schema: { type: 'object' } }],
      tool_choice: { type: 'tool', name: 'f' },
      thinking: { type: 'enabled', budget_tokens: 2048 },
      output_config: { effort: 'low', format: { type: 'json_schema', schema: {} } },
      metadata: { user_id: 'u' },
    };
    const places = getPlaces(whole, []);
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.jsonValue(), (place, value) => {
        const decoded = decodeAnthropicRequest(mutate(whole, place, value));
        if (decoded.ok) return;
        expect(ERROR_TABLE[decoded.error.code].status).toBe(400);
        expect(decoded.error.param).toBeTruthy();
      }),
      { numRuns: 2000 },
    );
  });
});

function getPlaces(value: unknown, path: readonly string[]): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    [...path, key],
    ...getPlaces(member, [...path, key]),
  ]);
}

function mutate(whole: unknown, place: readonly string[], value: unknown): JsonObject {
  const copy: JsonObject = JSON.parse(JSON.stringify(whole));
  let at: JsonObject = copy;
  for (const key of place.slice(0, -1)) at = Object(at[key]);
  at[place.at(-1) ?? ''] = value;
  return copy;
}
