import type { CompletionRequest } from '@tollgate/core/completion/request';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json/parse-object.ts';
import { decodeOpenAiChatRequest } from './decode-request.ts';

const USER = { role: 'user', content: 'Hi' };

function decode(body: JsonObject): CompletionRequest {
  const result = decodeOpenAiChatRequest({ model: 'm', messages: [USER], ...body });
  if (!result.ok) throw new Error(`${result.error.message} (${result.error.param})`);
  return result.value;
}

function getInvalidParam(body: JsonObject): string | undefined {
  const result = decodeOpenAiChatRequest({ model: 'm', messages: [USER], ...body });
  if (result.ok) throw new Error('It was taken');
  expect(result.error.code).toBe('invalid_request');
  return result.error.param;
}

const text = (words: string) => ({ type: 'text', text: words, citations: [], cache: null });

describe('decodeOpenAiChatRequest', () => {
  it('fills absent members with the defaults', () => {
    expect(decode({})).toMatchObject({
      stream: false,
      wantsStreamUsage: false,
      messages: [{ role: 'user', name: null, content: [text('Hi')] }],
      tools: [],
      toolChoice: null,
      outputFormat: { type: 'text' },
      maxOutputTokens: null,
      stopSequences: [],
      reasoning: null,
      choices: 1,
      modalities: ['text'],
      extra: {},
    });
  });

  it('reads instructions of every kind, at any place', () => {
    const parts = [
      { type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } },
      { type: 'text', text: 'b', prompt_cache_breakpoint: { mode: 'explicit' } },
    ];
    const { messages } = decode({
      messages: [{ role: 'system', content: parts }, USER, { role: 'developer', content: 'Be brief' }],
    });
    expect(messages).toMatchObject([
      {
        kind: 'system',
        content: [
          { text: 'a', cache: { ttl: '1h' } },
          { text: 'b', cache: { ttl: null } },
        ],
      },
      { role: 'user' },
      { kind: 'developer', content: [text('Be brief')] },
    ]);
  });

  it('reads images, audio and files, in the body and elsewhere', () => {
    const content = [
      { type: 'image_url', image_url: { url: 'data:image/PNG;base64,AAAA', detail: 'low' } },
      { type: 'image_url', image_url: 'https://example.com/a.png' },
      { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' } },
      { type: 'file', file: { file_data: 'CCCC' } },
      { type: 'file', file: { file_id: 'file-1' } },
      { type: 'video_url', video_url: { url: 'https://example.com/v' } },
    ];
    expect(decode({ messages: [{ role: 'user', content }] }).messages[0]?.content).toMatchObject([
      { source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' }, detail: 'low' },
      { source: { kind: 'url', url: 'https://example.com/a.png' }, detail: null },
      { type: 'audio', format: 'wav', data: 'AA==' },
      { source: { kind: 'base64', mediaType: 'application/pdf', data: 'BBBB' }, title: 'a.pdf' },
      { source: { kind: 'base64', mediaType: 'application/pdf', data: 'CCCC' }, title: null },
      { source: { kind: 'file', fileId: 'file-1' } },
      { type: 'opaque', dialect: 'openai-chat', name: 'video_url' },
    ]);
  });

  it('reads a turn of tools, and restores the places of its reasoning', () => {
    const details = [
      { type: 'reasoning.text', text: 'hm', signature: 'S1', index: 0, format: 'anthropic-claude-v1' },
      { type: 'reasoning.encrypted', data: 'ENC', index: 2, format: 'anthropic-claude-v1' },
    ];
    const call = { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } };
    const { messages } = decode({
      messages: [
        USER,
        {
          role: 'assistant',
          content: 'So',
          tool_calls: [call],
          reasoning_content: 'x',
          reasoning_details: details,
        },
        { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: '2' }] },
      ],
    });
    expect(messages[1]?.content).toEqual([
      { type: 'thinking', text: 'hm', signature: 'S1' },
      text('So'),
      { type: 'redacted_thinking', data: 'ENC' },
      { type: 'tool_call', id: 'c1', name: 'add', arguments: '{"a":1}', cache: null },
    ]);
    expect(messages[2]).toEqual({
      role: 'tool',
      callId: 'c1',
      content: [text('2')],
      isError: false,
      cache: null,
    });
  });

  it('reads functions of the kind that came before tools', () => {
    const called = { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } };
    const result = { role: 'function', name: 'f', content: '1' };
    const request = decode({
      messages: [USER, called, result, called, result],
      functions: [{ name: 'f', parameters: {} }],
      function_call: { name: 'f' },
    });
    const ids = request.messages.flatMap((message) => {
      if (message.role === 'tool') return [message.callId];
      return message.role === 'assistant' ? message.content.map((part) => 'id' in part && part.id) : [];
    });
    expect(ids).toEqual(['call_f_1', 'call_f_1', 'call_f_3', 'call_f_3']);
    expect(request.tools).toMatchObject([{ name: 'f', description: null, parameters: {} }]);
    expect(request.toolChoice).toEqual({ type: 'tool', name: 'f' });
  });

  it('reads every form of tool choice', () => {
    const tools = ['a', 'b'].map((name) => ({ type: 'function', function: { name } }));
    const choice = (given: unknown) => decode({ tools, tool_choice: given }).toolChoice;
    expect(choice('auto')).toEqual({ type: 'auto' });
    expect(choice('any')).toEqual({ type: 'required' });
    expect(choice({ type: 'function', function: { name: 'b' } })).toEqual({ type: 'tool', name: 'b' });
    const allowed = { mode: 'required', tools: [{ type: 'function', function: { name: 'b' } }] };
    const request = decode({ tools, tool_choice: { type: 'allowed_tools', allowed_tools: allowed } });
    expect(request).toMatchObject({ toolChoice: { type: 'required' }, tools: [{ name: 'b' }] });
    expect(getInvalidParam({ tools, tool_choice: 'some' })).toBe('tool_choice');
  });

  it('keeps tools that are no functions, and web search, as they are', () => {
    const custom = { type: 'custom', custom: { name: 'sql' } };
    expect(decode({ tools: [custom], web_search_options: {} }).hostedTools).toEqual([
      { dialect: 'openai-chat', name: 'custom', value: custom },
      { dialect: 'openai-chat', name: 'web_search_options', value: {} },
    ]);
  });

  it('reads how much the model shall think, in the words of several providers', () => {
    expect(decode({ reasoning_effort: 'none' }).reasoning).toEqual({ type: 'effort', effort: 'none' });
    expect(decode({ reasoning: { max_tokens: 2000 } }).reasoning).toEqual({ type: 'budget', tokens: 2000 });
    expect(decode({ reasoning: { enabled: true } }).reasoning).toEqual({ type: 'adaptive', effort: null });
    const thinking = { type: 'enabled', budget_tokens: 4000 };
    expect(decode({ thinking }).reasoning).toEqual({ type: 'budget', tokens: 4000 });
    expect(decode({ thinking: { type: 'disabled' } }).reasoning).toEqual({ type: 'off' });
  });

  it('keeps members that it does not know', () => {
    expect(decode({ store: true, prediction: null, x: [1] }).extra).toEqual({ store: true, x: [1] });
  });

  it.each<[string, JsonObject]>([
    ['model', { model: 7 }],
    ['messages', { messages: [] }],
    ['messages.0', { messages: [null] }],
    ['messages.0.role', { messages: [{ role: 'robot', content: 'x' }] }],
    ['messages.0.content', { messages: [{ role: 'user' }] }],
    ['messages.0.content', { messages: [{ role: 'user', content: 5 }] }],
    ['messages.0.content.0.type', { messages: [{ role: 'user', content: [{}] }] }],
    ['messages.0.content.0.text', { messages: [{ role: 'user', content: [{ type: 'text' }] }] }],
    [
      'messages.0.content.1.image_url.url',
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: '' },
              { type: 'image_url', image_url: { url: 'ftp://x' } },
            ],
          },
        ],
      },
    ],
    [
      'messages.0.tool_calls.0.id',
      { messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: '' } }] }] },
    ],
    [
      'messages.0.tool_calls.0.function.name',
      { messages: [{ role: 'assistant', tool_calls: [{ id: 'x', function: {} }] }] },
    ],
    ['messages.0.tool_call_id', { messages: [{ role: 'tool', content: 'x' }] }],
    ['tools.0.function.name', { tools: [{ type: 'function', function: {} }] }],
    ['response_format.type', { response_format: {} }],
    ['response_format.json_schema', { response_format: { type: 'json_schema' } }],
    ['temperature', { temperature: 3 }],
    ['max_completion_tokens', { max_completion_tokens: 0.5 }],
    ['n', { n: 0 }],
    ['stop.1', { stop: ['a', 1] }],
    ['top_logprobs', { top_logprobs: 2 }],
    ['reasoning_effort', { reasoning_effort: 'much' }],
    ['logit_bias.7', { logit_bias: { 7: 'x' } }],
    ['metadata.a', { metadata: { a: 1 } }],
    ['stream', { stream: 'yes' }],
    ['stream_options', { stream_options: 1 }],
  ])('names %s if it is invalid', (param, body) => {
    expect(getInvalidParam(body)).toBe(param);
  });
});
