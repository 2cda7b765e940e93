import type { UserPart } from '@tollgate/core/completion/content';
import type { CompletionRequest, Message } from '@tollgate/core/completion/request';
import { describe, expect, it } from 'vitest';
import { decodeOpenAiChatRequest } from './decode-request.ts';
import { encodeOpenAiChatRequest } from './encode-request.ts';
import { NO_QUIRKS, type ProviderQuirks } from './quirks/provider-quirks.ts';

function requestWith(changes: Partial<CompletionRequest>): CompletionRequest {
  const plain = decodeOpenAiChatRequest({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] });
  if (!plain.ok) throw new Error(plain.error.message);
  return { ...plain.value, ...changes };
}

function encode(changes: Partial<CompletionRequest>, quirks: Partial<ProviderQuirks> = {}) {
  const encoded = encodeOpenAiChatRequest(requestWith(changes), { ...NO_QUIRKS, ...quirks });
  if (!encoded.ok) throw new Error(encoded.error.message);
  return encoded;
}

function getRefusal(changes: Partial<CompletionRequest>) {
  const encoded = encodeOpenAiChatRequest(requestWith(changes));
  if (encoded.ok) throw new Error('It was taken');
  expect(encoded.error.code).toBe('unsupported_parameter');
  return encoded.error.param;
}

const text = (words: string) => ({ type: 'text' as const, text: words, citations: [], cache: null });
const says = (...content: UserPart[]): Message[] => [{ role: 'user', name: null, content }];
const image: UserPart = {
  type: 'image',
  source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' },
  detail: null,
  cache: null,
};
describe('the use of tools', () => {
  const use = { toolChoice: { type: 'none' as const }, parallelToolCalls: false };
  const tool = { name: 'f', description: null, parameters: null, strict: null, cache: null };

  it('is left out without tools, which OpenAI refuses', () => {
    const { body, dropped } = encode(use);
    expect(body).not.toHaveProperty('tool_choice');
    expect(body).not.toHaveProperty('parallel_tool_calls');
    expect(dropped).toEqual([]);
    expect(encode({ ...use, tools: [tool] }).body).toMatchObject({
      tool_choice: 'none',
      parallel_tool_calls: false,
    });
  });

  it('is written if it forces a tool, so that the provider refuses it', () => {
    expect(encode({ toolChoice: { type: 'required' } }).body).toMatchObject({ tool_choice: 'required' });
  });
});

const reasoned: Message[] = [
  {
    role: 'assistant',
    name: null,
    content: [{ type: 'thinking', text: 'hm', signature: 'S' }, text('So')],
  },
];

describe('encodeOpenAiChatRequest', () => {
  it('writes only the members of the request', () => {
    expect(encode({})).toEqual({
      ok: true,
      body: { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
      dropped: [],
    });
  });

  it('always asks a stream for its usage', () => {
    expect(encode({ stream: true }).body).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('moves images of tool results after the last result, and marks error results', () => {
    const result = (callId: string, isError: boolean, ...content: UserPart[]): Message => ({
      role: 'tool',
      callId,
      content: content.filter((part) => part.type !== 'audio'),
      isError,
      cache: null,
    });
    const messages = [
      result('c1', false, text('a chart'), image),
      result('c2', true, text('no such file')),
      result('c3', true),
      ...says(text('And?')),
    ];
    expect(encode({ messages }).body['messages']).toEqual([
      {
        role: 'tool',
        tool_call_id: 'c1',
        content: [
          { type: 'text', text: 'a chart' },
          { type: 'text', text: expect.stringContaining('next message') },
        ],
      },
      { role: 'tool', tool_call_id: 'c2', content: 'Error: no such file' },
      { role: 'tool', tool_call_id: 'c3', content: 'Error:' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Returned by the tool call c1:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
      { role: 'user', content: 'And?' },
    ]);
  });

  it('leaves earlier reasoning out for OpenAI, and sends it to providers that take it', () => {
    const plain = encode({ messages: reasoned });
    expect(plain.body['messages']).toEqual([{ role: 'assistant', content: 'So' }]);
    expect(plain.dropped).toEqual(['thinking']);
    expect(encode({ messages: reasoned }, { reasoningField: 'reasoning_content' }).body['messages']).toEqual([
      { role: 'assistant', content: 'So', reasoning_content: 'hm' },
    ]);
    const detailed = encode({ messages: reasoned }, { reasoningField: 'reasoning_details' });
    expect(detailed.dropped).toEqual([]);
    expect(detailed.body['messages']).toMatchObject([{ reasoning_details: [{ signature: 'S', index: 0 }] }]);
  });

  it('sends an effort if the caller named a budget', () => {
    const getEffort = (tokens: number) =>
      encode({ reasoning: { type: 'budget', tokens } }).body['reasoning_effort'];
    expect([1024, 8192, 8193].map(getEffort)).toEqual(['low', 'medium', 'high']);
    expect(encode({ reasoning: { type: 'off' } })).toMatchObject({ dropped: ['thinking'] });
  });

  it('names the fields that it drops', () => {
    const sampling = { ...requestWith({}).sampling, topK: 5 };
    const cached = { ...text('x'), cache: { ttl: null } };
    const changes = {
      sampling,
      messages: says(cached),
      serviceTier: 'batch',
      extra: { top_a: 1, store: true },
    };
    const { dropped, body } = encode(changes);
    expect(dropped).toEqual(['service_tier', 'top_a', 'top_k', 'cache_control']);
    expect(body).toMatchObject({ store: true });
  });

  it('leaves out fields that a provider refuses', () => {
    const { body, dropped } = encode(
      { stream: true, endUser: 'u', maxOutputTokens: 5, messages: says(text('a'), text('b')) },
      {
        omits: ['user', 'stream_options'],
        maxTokensMember: 'max_tokens',
        takesTextLists: false,
      },
    );
    expect(body).toEqual({
      model: 'm',
      stream: true,
      max_tokens: 5,
      messages: [{ role: 'user', content: 'a\n\nb' }],
    });
    expect(dropped).toEqual(['user']);
  });

  it('refuses fields that the answer depends on and the dialect cannot express', () => {
    const document: UserPart = {
      type: 'document',
      source: { kind: 'url', url: 'https://example.com/a.pdf' },
      title: null,
      context: null,
      citable: false,
      cache: null,
    };
    const opaque: UserPart = {
      type: 'opaque',
      dialect: 'anthropic-messages',
      name: 'container_upload',
      value: {},
    };
    const hosted = { dialect: 'anthropic-messages', name: 'web_search', value: {} };
    expect(getRefusal({ messages: says(document) })).toBe('messages.0.content.0');
    expect(getRefusal({ messages: says({ ...document, citable: true }) })).toBe(
      'messages.0.content.0.citations',
    );
    expect(getRefusal({ messages: says(text('x'), opaque) })).toBe('messages.0.content.1');
    expect(getRefusal({ hostedTools: [hosted], toolChoice: { type: 'required' } })).toBe('tools');
    expect(getRefusal({ stopSequences: ['a', 'b', 'c', 'd', 'e'] })).toBe('stop');
    expect(getRefusal({ extra: { mcp_servers: [] } })).toBe('mcp_servers');
  });
});
