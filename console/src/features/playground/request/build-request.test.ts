import { describe, expect, it } from 'vitest';
import type { AnswerTurn, Turn, UserTurn } from '../conversation.ts';
import { buildRequest, type RequestInput } from './build-request.ts';

const user = (rest: Partial<UserTurn>): UserTurn => ({
  kind: 'user',
  id: 1,
  text: '',
  image: null,
  toolResults: [],
  ...rest,
});
const answer = (rest: Partial<AnswerTurn>): AnswerTurn => ({
  kind: 'answer',
  id: 2,
  model: 'm',
  dialect: 'openai',
  state: 'done',
  text: '',
  reasoning: '',
  toolCalls: [],
  failure: null,
  requestId: null,
  finishReason: null,
  usage: null,
  firstTokenMs: null,
  totalMs: null,
  ...rest,
});
const input = (turns: Turn[], rest: Partial<RequestInput> = {}): RequestInput => ({
  model: 'm',
  system: '',
  turns,
  tools: [],
  temperature: undefined,
  maxTokens: undefined,
  ...rest,
});

describe('the request of a conversation', () => {
  it('omits unset fields, and sends a maximum only if the dialect requires one', () => {
    const turns = [user({ text: 'Hi' })];
    expect(buildRequest('openai', input(turns))).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
    });
    expect(buildRequest('anthropic', input(turns))).toEqual({
      model: 'm',
      max_tokens: 1024,
      messages: [{ role: 'user', content: 'Hi' }],
    });
  });

  it('carries the system prompt, the parameters and the tools in the words of the dialect', () => {
    const tools = [{ name: 'f', description: undefined, parameters: { type: 'object' } }];
    const rest = { system: 'Be brief.', temperature: 0, maxTokens: 5, tools };
    expect(buildRequest('openai', input([], rest))).toEqual({
      model: 'm',
      messages: [{ role: 'system', content: 'Be brief.' }],
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
      temperature: 0,
      max_tokens: 5,
    });
    expect(buildRequest('anthropic', input([], rest))).toEqual({
      model: 'm',
      max_tokens: 5,
      system: 'Be brief.',
      messages: [],
      tools: [{ name: 'f', input_schema: { type: 'object' } }],
      temperature: 0,
    });
  });

  it('carries a picture', () => {
    const turns = [user({ text: 'See', image: { name: 'a.png', mediaType: 'image/png', base64: 'QUJD' } })];
    expect(buildRequest('openai', input(turns))['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } },
        ],
      },
    ]);
    expect(buildRequest('anthropic', input(turns))['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } },
          { type: 'text', text: 'See' },
        ],
      },
    ]);
  });

  it('carries calls of tools with what they answered', () => {
    const call = { index: 0, id: 'call_1', name: 'f', arguments: '{"a":1}' };
    const turns = [
      user({ text: 'Go' }),
      answer({ toolCalls: [call] }),
      user({ toolResults: [{ callId: 'call_1', text: 'sunny' }] }),
    ];
    expect(buildRequest('openai', input(turns))['messages']).toEqual([
      { role: 'user', content: 'Go' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
    ]);
    expect(buildRequest('anthropic', input(turns))['messages']).toEqual([
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'f', input: { a: 1 } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'sunny' }] },
    ]);
  });

  it('omits empty responses and incomplete tool calls', () => {
    const cut = { index: 0, id: 'call_1', name: 'f', arguments: '{"a' };
    const turns = [
      user({ text: 'Go' }),
      answer({ state: 'failed' }),
      answer({ state: 'stopped', text: 'Half', toolCalls: [cut] }),
    ];
    for (const dialect of ['openai', 'anthropic'] as const)
      expect(buildRequest(dialect, input(turns))['messages']).toEqual([
        { role: 'user', content: 'Go' },
        { role: 'assistant', content: 'Half' },
      ]);
  });
});
