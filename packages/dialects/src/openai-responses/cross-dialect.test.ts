import type { CompletionRequest } from '@tollgate/core/completion/request';
import type { Result } from '@tollgate/core/errors/errors';
import type { ResponseCreateParamsNonStreaming } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import { encodeAnthropicRequest } from '../anthropic-messages/encode-request.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { encodeOpenAiChatRequest } from '../openai-chat/encode-request.ts';
import { decodeOpenAiResponsesRequest } from './decode-request.ts';

const WEATHER = { type: 'object', properties: { city: { type: 'string' } } };

const ASKED: ResponseCreateParamsNonStreaming = {
  model: 'claude-sonnet-4-5',
  instructions: 'Be brief.',
  input: [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'How is it there?' },
        { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AAAA' },
        { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' },
      ],
    },
    { role: 'assistant', content: 'I look.' },
    { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' },
    { type: 'function_call_output', call_id: 'call_1', output: [{ type: 'input_text', text: 'Rain' }] },
  ],
  tools: [
    { type: 'function', name: 'weather', description: 'Reports it', parameters: WEATHER, strict: false },
  ],
  tool_choice: { type: 'function', name: 'weather' },
  parallel_tool_calls: false,
  max_output_tokens: 100,
  temperature: 0.5,
  user: 'someone',
};

function decoded(result: Result<CompletionRequest>): CompletionRequest {
  if (!result.ok) throw new Error(`${result.error.param}: ${result.error.message}`);
  return result.value;
}

function getBody(encoded: ReturnType<typeof encodeAnthropicRequest>): JsonObject {
  if (!encoded.ok) throw new Error(encoded.error.message);
  return encoded.body;
}

const overWire = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value));
const asked = (change: Partial<ResponseCreateParamsNonStreaming> = {}) =>
  decodeOpenAiResponsesRequest(overWire({ ...ASKED, ...change }));

describe('a request of the Responses API', () => {
  it('is written as messages', () => {
    const encoded = encodeAnthropicRequest(decoded(asked()), { defaultMaxTokens: 10 });
    expect(encoded).toEqual({
      ok: true,
      dropped: [],
      body: {
        model: 'claude-sonnet-4-5',
        max_tokens: 100,
        system: [{ type: 'text', text: 'Be brief.' }],
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'How is it there?' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
              {
                type: 'document',
                source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' },
                title: 'a.pdf',
              },
            ],
          },
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'I look.' },
              { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Oslo' } },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'Rain' }] },
            ],
          },
        ],
        tools: [{ name: 'weather', description: 'Reports it', input_schema: WEATHER, strict: false }],
        tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
        temperature: 0.5,
        metadata: { user_id: 'someone' },
      },
    });
  });

  it('is written as a chat completion', () => {
    expect(getBody(encodeOpenAiChatRequest(decoded(asked())))).toEqual({
      model: 'claude-sonnet-4-5',
      max_completion_tokens: 100,
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'How is it there?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'auto' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' } },
          ],
        },
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'Rain' },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'weather', description: 'Reports it', parameters: WEATHER, strict: false },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'weather' } },
      parallel_tool_calls: false,
      temperature: 0.5,
      user: 'someone',
    });
  });

  const foreign: [string, Partial<ResponseCreateParamsNonStreaming>][] = [
    ['tools', { tools: [{ type: 'web_search' }], tool_choice: 'required' }],
    ['tool_choice', { tool_choice: { type: 'file_search' } }],
    ['messages.1.content.0', { input: [{ type: 'compaction', encrypted_content: 'x' }] }],
  ];
  it.each(foreign)('is refused by name if another dialect lacks %s', (param, change) => {
    const request = decoded(asked(change));
    for (const encoded of [
      encodeAnthropicRequest(request, { defaultMaxTokens: 10 }),
      encodeOpenAiChatRequest(request),
    ])
      expect(encoded).toMatchObject({
        ok: false,
        error: { code: 'unsupported_parameter', param: expect.stringContaining(param) },
      });
  });

  it('offers only the allowed tools if some are allowed', () => {
    const tools = ['a', 'b'].map((name) => ({
      type: 'function' as const,
      name,
      parameters: null,
      strict: null,
    }));
    const choice = {
      type: 'allowed_tools' as const,
      mode: 'required' as const,
      tools: [{ type: 'function', name: 'b' }],
    };
    const request = decoded(asked({ tools: [...tools, { type: 'web_search' }], tool_choice: choice }));
    expect(request).toMatchObject({
      tools: [{ name: 'b' }],
      hostedTools: [],
      toolChoice: { type: 'required' },
    });
  });
});
