import { Buffer } from 'node:buffer';
import type { AssistantPart, UserPart } from '@tollgate/core/completion/content';
import type { CompletionRequest, Message, ToolDefinition } from '@tollgate/core/completion/request';
import { describe, expect, it } from 'vitest';
import { decodeAnthropicRequest } from './decode-request.ts';
import { encodeAnthropicRequest } from './encode-request.ts';

function requestWith(changes: Partial<CompletionRequest>): CompletionRequest {
  const plain = decodeAnthropicRequest({
    model: 'claude-sonnet-4-5',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hi' }],
  });
  if (!plain.ok) throw new Error(plain.error.message);
  return { ...plain.value, ...changes };
}

function encode(changes: Partial<CompletionRequest>) {
  const encoded = encodeAnthropicRequest(requestWith(changes), { defaultMaxTokens: 64_000 });
  if (!encoded.ok) throw new Error(encoded.error.message);
  return encoded;
}

function getRefusal(changes: Partial<CompletionRequest>) {
  const encoded = encodeAnthropicRequest(requestWith(changes), { defaultMaxTokens: 64_000 });
  if (encoded.ok) throw new Error('It was taken');
  expect(encoded.error.code).toBe('unsupported_parameter');
  expect(encoded.error.message).not.toBe('');
  return encoded.error.param;
}

const text = (words: string) => ({ type: 'text' as const, text: words, citations: [], cache: null });
const block = (words: string) => ({ type: 'text', text: words });
const user = (...content: UserPart[]): Message => ({ role: 'user', name: null, content });
const assistant = (...content: AssistantPart[]): Message => ({ role: 'assistant', name: null, content });
const system = (words: string): Message => ({ role: 'system', kind: 'developer', content: [text(words)] });
const tool = (callId: string, ...content: UserPart[]): Message => ({
  role: 'tool',
  callId,
  content: content.filter((part) => part.type !== 'audio'),
  isError: false,
  cache: null,
});
const call = (id: string, json = '{}'): AssistantPart => ({
  type: 'tool_call',
  id,
  name: 'f',
  arguments: json,
  cache: null,
});
const tools: ToolDefinition[] = [
  { name: 'f', description: null, parameters: null, strict: null, cache: null },
];

const NOTHING: CompletionRequest['sampling'] = {
  temperature: null,
  topP: null,
  topK: null,
  seed: null,
  presencePenalty: null,
  frequencyPenalty: null,
  logitBias: null,
};

describe('encodeAnthropicRequest', () => {
  it('writes only the members of the request', () => {
    expect(encode({})).toEqual({
      ok: true,
      body: {
        model: 'claude-sonnet-4-5',
        max_tokens: 100,
        messages: [{ role: 'user', content: [block('Hi')] }],
      },
      dropped: [],
    });
  });

  it("sets the model's own output limit if the request names none", () => {
    expect(encode({ maxOutputTokens: null }).body['max_tokens']).toBe(64_000);
  });

  it('merges turns of one side, and puts the results of parallel calls first in one turn', () => {
    const messages = [
      system('A'),
      system('B'),
      user(text('1')),
      user(text('2')),
      assistant(call('x')),
      assistant(call('y')),
      tool('x', text('one')),
      user(text('meanwhile')),
      tool('y'),
    ];
    const { body } = encode({ messages });
    expect(body['system']).toEqual([block('A'), block('B')]);
    const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} });
    expect(body['messages']).toEqual([
      { role: 'user', content: [block('1'), block('2')] },
      { role: 'assistant', content: [use('x'), use('y')] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'x', content: [block('one')] },
          { type: 'tool_result', tool_use_id: 'y' },
          block('meanwhile'),
        ],
      },
    ]);
  });

  it('keeps a later system message if the model and the place allow it, else writes it as the user', () => {
    const messages = [user(text('1')), system('Rhyme.'), assistant(text('2')), user(text('3'))];
    expect(encode({ model: 'claude-opus-4-8', messages }).body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'system', content: [block('Rhyme.')] },
      { role: 'assistant' },
      { role: 'user' },
    ]);
    const said = block('<system_instruction>\nRhyme.\n</system_instruction>');
    expect(encode({ messages }).body['messages']).toMatchObject([
      { role: 'user', content: [block('1'), said] },
      { role: 'assistant' },
      { role: 'user' },
    ]);
    const misplaced = [user(text('1')), assistant(text('2')), system('Rhyme.'), user(text('3'))];
    expect(encode({ model: 'claude-opus-4-8', messages: misplaced }).body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'user', content: [said, block('3')] },
    ]);
  });

  it('writes instructions without messages as a user turn', () => {
    const { body } = encode({ messages: [system('Tell a joke.')] });
    expect(body).toMatchObject({ messages: [{ role: 'user', content: [block('Tell a joke.')] }] });
    expect(body['system']).toBeUndefined();
  });

  it('leaves out empty texts, and trailing whitespace of a turn to continue', () => {
    const messages = [
      user(text('1'), text(' \n')),
      assistant(text('')),
      user(text('2')),
      assistant(text('So ')),
    ];
    expect(encode({ messages }).body['messages']).toEqual([
      { role: 'user', content: [block('1'), block('2')] },
      { role: 'assistant', content: [block('So')] },
    ]);
  });

  it('refuses a conversation in which nothing is said, by the name of messages', () => {
    const encoded = encodeAnthropicRequest(requestWith({ messages: [user(text(''))] }), {
      defaultMaxTokens: 1,
    });
    expect(encoded).toMatchObject({ ok: false, error: { code: 'invalid_request', param: 'messages' } });
  });

  it('keeps the ids of calls and results together when it makes them acceptable', () => {
    const messages = [
      user(text('1')),
      assistant(call('functions.add:0', '{"cut": ')),
      tool('functions.add:0'),
    ];
    expect(encode({ messages }).body['messages']).toMatchObject([
      {},
      { content: [{ id: 'functions_add_0', input: { INVALID_JSON: '{"cut": ' } }] },
      { content: [{ tool_use_id: 'functions_add_0' }] },
    ]);
  });

  it('gives back signed reasoning, and leaves out the reasoning of other models', () => {
    const reasoning: AssistantPart[] = [
      { type: 'thinking', text: 'mine', signature: 'SIG' },
      { type: 'thinking', text: 'foreign', signature: null },
      { type: 'redacted_thinking', data: 'DATA' },
      { type: 'redacted_thinking', data: 'reasoning.encrypted:abc' },
    ];
    const { body, dropped } = encode({
      messages: [user(text('1')), assistant(...reasoning), user(text('2'))],
    });
    expect(body['messages']).toMatchObject([
      {},
      {
        content: [
          { type: 'thinking', thinking: 'mine', signature: 'SIG' },
          { type: 'redacted_thinking', data: 'DATA' },
        ],
      },
      {},
    ]);
    expect(dropped).toEqual(['reasoning']);
  });

  it('writes text files as text and refuses other files that are no PDF', () => {
    const file = (mediaType: string): Message =>
      user({
        type: 'document',
        source: { kind: 'base64', mediaType, data: Buffer.from('grüße').toString('base64') },
        title: 'a',
        context: null,
        citable: false,
        cache: null,
      });
    expect(encode({ messages: [file('text/markdown')] }).body['messages']).toMatchObject([
      { content: [{ title: 'a', source: { type: 'text', media_type: 'text/plain', data: 'grüße' } }] },
    ]);
    expect(getRefusal({ messages: [file('application/msword')] })).toBe('messages.0.content.0');
  });

  it.each<[string, Partial<CompletionRequest>]>([
    ['n', { choices: 2 }],
    ['logprobs', { logprobs: { alternatives: 0 } }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['logit_bias', { sampling: { ...NOTHING, logitBias: { 5: -100 } } }],
    ['stop', { stopSequences: ['\n'] }],
    ['web_search_options', { extra: { web_search_options: {} } }],
    ['messages.0.content.1', { messages: [user(text('a'), { type: 'audio', format: 'wav', data: '' })] }],
    [
      'messages.0.content.0',
      { messages: [assistant({ type: 'opaque', dialect: 'other', name: 'web_search_call', value: {} })] },
    ],
  ])('refuses %s by its name', (param, changes) => {
    expect(getRefusal(changes)).toBe(param);
  });

  it('does not name settings that are the default', () => {
    expect(encode({ extra: { store: false } }).dropped).toEqual([]);
  });

  it('names the fields that it drops', () => {
    const { dropped } = encode({
      sampling: { ...NOTHING, seed: 1, presencePenalty: 1, frequencyPenalty: 0 },
      metadata: { a: 'b' },
      promptCacheKey: 'k',
      verbosity: 'low',
      serviceTier: 'flex',
      extra: { store: true },
      messages: [{ role: 'user', name: 'Ada', content: [text('Hi')] }],
    });
    expect(dropped.toSorted()).toEqual([
      'metadata',
      'name',
      'presence_penalty',
      'prompt_cache_key',
      'seed',
      'service_tier',
      'store',
      'verbosity',
    ]);
  });

  it.each<[string, Partial<CompletionRequest['sampling']>, object, string[]]>([
    ['claude-sonnet-4-5', { temperature: 1.5 }, { temperature: 1 }, ['temperature']],
    ['claude-sonnet-4-5', { temperature: 0.5, topP: 0.9 }, { temperature: 0.5 }, ['top_p']],
    ['claude-sonnet-4-5', { temperature: 1, topP: 0.9 }, { top_p: 0.9 }, []],
    ['claude-sonnet-4-5', { temperature: 0.5, topP: 1, topK: 3 }, { temperature: 0.5, top_k: 3 }, []],
    ['claude-opus-4-8', { temperature: 1, topP: 1 }, {}, []],
    ['claude-opus-4-8', { temperature: 0, topK: 1 }, {}, ['temperature', 'top_k']],
  ])('writes sampling for %s of %j', (model, sampling, expected, dropped) => {
    const encoded = encode({ model, sampling: { ...NOTHING, ...sampling } });
    const {
      temperature,
      top_p: topP,
      top_k: topK,
    } = { temperature: undefined, top_p: undefined, top_k: undefined, ...encoded.body };
    expect(JSON.parse(JSON.stringify({ temperature, top_p: topP, top_k: topK }))).toEqual(expected);
    expect(encoded.dropped).toEqual(dropped);
  });

  it('limits parallel calls through the choice, and has no choice without tools', () => {
    expect(encode({ tools, parallelToolCalls: false }).body['tool_choice']).toEqual({
      type: 'auto',
      disable_parallel_tool_use: true,
    });
    expect(encode({ tools, toolChoice: { type: 'required' } }).body['tool_choice']).toEqual({ type: 'any' });
    expect(encode({ toolChoice: { type: 'auto' } }).body['tool_choice']).toBeUndefined();
    expect(encode({ tools }).body['tools']).toEqual([
      { name: 'f', input_schema: { type: 'object', properties: {} } },
    ]);
  });

  it('requests structured output by schema, and any JSON object by an instruction', () => {
    const schema = { type: 'object', properties: { a: { type: 'integer', minimum: 1 } } };
    const format = { type: 'json_schema' as const, name: 'x', description: null, schema, strict: null };
    expect(encode({ outputFormat: format }).body['output_config']).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: { a: { type: 'integer', description: '{"minimum":1}' } },
          additionalProperties: false,
        },
      },
    });
    const system = encode({ outputFormat: { type: 'json_object' } }).body['system'];
    expect(system).toMatchObject([{ type: 'text', text: expect.stringContaining('JSON object') }]);
  });
});
