import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { anthropicStreamRules } from './anthropic-messages/stream-rules.ts';
import { createOpenAiStreamRules } from './openai-chat/stream-rules.ts';
import { openAiResponsesStreamRules } from './openai-responses/stream-rules.ts';
import type { StreamRules } from './stream-rules.ts';
import { getText } from './stream-tap.fixture.ts';
import { StreamTap } from './stream-tap.ts';

const PIECES = Array.from(
  { length: 20 },
  (_, at) => `Piece ${at} of what the model wrote, with "quotes" and more. `,
);
const TEXT = PIECES.join('');
const chatRules = createOpenAiStreamRules(true);

/** As long as the text, as JSON. */
const TEXT_INPUT = { a: 'x'.repeat(TEXT.length - '{"a":""}'.length) };

type Events = readonly object[];
const chat = (delta: (piece: string) => object): Events =>
  PIECES.map((piece) => ({ choices: [{ index: 0, delta: delta(piece), finish_reason: null }], usage: null }));
const call = (called: object) => ({ tool_calls: [{ index: 0, id: 'c', ...called }] });
const block = (delta: (piece: string) => object): Events =>
  PIECES.map((piece) => ({ type: 'content_block_delta', index: 0, delta: delta(piece) }));
const deltas = (type: string): Events => PIECES.map((delta) => ({ type, output_index: 0, delta }));
const ITEM = {
  type: 'message',
  id: 'm',
  role: 'assistant',
  content: [{ type: 'output_text', text: TEXT, annotations: [] }],
};
const ITEM_DONE = [{ type: 'response.output_item.done', output_index: 0, item: ITEM }];
const completed = (usage: object | null) => [
  { type: 'response.completed', response: { id: 'r', error: null, output: [ITEM], usage } },
];

const WRITTEN: [name: string, rules: StreamRules, events: Events][] = [
  ['chat: content', chatRules, chat((content) => ({ content }))],
  ['chat: content in parts', chatRules, chat((text) => ({ content: [{ type: 'text', text }] }))],
  ['chat: a refusal', chatRules, chat((refusal) => ({ refusal }))],
  ['chat: arguments of a function', chatRules, chat((text) => call({ function: { arguments: text } }))],
  ['chat: input of a custom tool', chatRules, chat((input) => call({ type: 'custom', custom: { input } }))],
  ['chat: reasoning', chatRules, chat((reasoning) => ({ reasoning }))],
  [
    'chat: reasoning under two names',
    chatRules,
    chat((text) => ({ reasoning: text, reasoning_content: text })),
  ],
  [
    'chat: reasoning and its details',
    chatRules,
    chat((text) => ({ content: '', reasoning: text, reasoning_details: [{ type: 'reasoning.text', text }] })),
  ],
  [
    'chat: details of reasoning alone',
    chatRules,
    chat((text) => ({ reasoning_details: [{ type: 'reasoning.text', text }] })),
  ],
  [
    'chat: a summary of reasoning',
    chatRules,
    chat((summary) => ({ reasoning_details: [{ type: 'reasoning.summary', summary }] })),
  ],
  ['chat: thinking', chatRules, chat((thinking) => ({ thinking }))],
  ['chat: a transcript', chatRules, chat((transcript) => ({ audio: { transcript } }))],
  ['messages: text', anthropicStreamRules, block((text) => ({ type: 'text_delta', text }))],
  ['messages: thinking', anthropicStreamRules, block((thinking) => ({ type: 'thinking_delta', thinking }))],
  [
    'messages: input of a tool',
    anthropicStreamRules,
    block((text) => ({ type: 'input_json_delta', partial_json: text })),
  ],
  [
    'messages: a compaction',
    anthropicStreamRules,
    block((content) => ({ type: 'compaction_delta', content })),
  ],
  [
    'messages: input of a tool in the start of its block',
    anthropicStreamRules,
    [{ type: 'content_block_start', index: 0, content_block: { type: 'tool_use', input: TEXT_INPUT } }],
  ],
  [
    'chat: arguments as an object',
    chatRules,
    [{ choices: [{ index: 0, delta: call({ function: { arguments: TEXT_INPUT } }) }] }],
  ],
  [
    'chat: a message in place of a delta',
    chatRules,
    [{ choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }] }],
  ],
  [
    'chat: a message next to each delta',
    chatRules,
    PIECES.map((content) => ({ choices: [{ index: 0, message: { content: TEXT }, delta: { content } }] })),
  ],
  [
    'chat: reasoning under two names, of which one has more',
    chatRules,
    chat((text) => ({ reasoning: text.slice(0, 3), reasoning_content: text })),
  ],
  ['responses: deltas', openAiResponsesStreamRules, deltas('response.output_text.delta')],
  [
    'responses: input of a custom tool',
    openAiResponsesStreamRules,
    deltas('response.custom_tool_call_input.delta'),
  ],
  [
    'responses: deltas, repeated twice',
    openAiResponsesStreamRules,
    [...deltas('response.output_text.delta'), ...ITEM_DONE, ...completed(null)],
  ],
  ['responses: whole items alone', openAiResponsesStreamRules, ITEM_DONE],
  ['responses: the whole response alone', openAiResponsesStreamRules, completed(null)],
];

function createTap(
  rules: StreamRules,
  events: Events,
  redact?: (text: string) => string,
  largeBytes?: number,
) {
  const tap = new StreamTap(rules, redact, largeBytes === undefined ? {} : { largeBytes });
  const relayed = events.map((event) => getText(tap.push(Buffer.from(`data: ${JSON.stringify(event)}\n\n`))));
  return { tap, relayed: relayed.join('') };
}

describe('the output of a model in a stream', () => {
  it.each(WRITTEN)('is measured once: %s', (_name, rules, events) => {
    expect(createTap(rules, events).tap.meter.bytes).toBe(TEXT.length);
    expect(createTap(rules, events, undefined, 10).tap.meter.bytes).toBe(TEXT.length);
  });

  it('is measured with any whitespace before a value', () => {
    const tap = new StreamTap(chatRules);
    tap.push(Buffer.from('data: {"choices":[{"delta":{"content":\t"Hello","reasoning"\t: "Hmm"}}]}\n\n'));
    expect(tap.meter.bytes).toBe('HelloHmm'.length);
  });

  it('is compared with its repetition item by item', () => {
    const shell = { type: 'shell_call', id: 's', action: { commands: [TEXT] } };
    const shellBytes = JSON.stringify(shell.action).length;
    const done = { type: 'response.output_item.done', output_index: 0, item: shell };
    const texts = deltas('response.output_text.delta');
    const measured = (events: Events) => createTap(openAiResponsesStreamRules, events).tap.meter.bytes;
    expect(measured([done, ...texts])).toBe(shellBytes + TEXT.length);
    expect(measured([...texts, ...ITEM_DONE, done])).toBe(shellBytes + TEXT.length);
    expect(measured([...texts, ...ITEM_DONE, ...texts, ...ITEM_DONE])).toBe(2 * TEXT.length);
  });

  it('is measured once in an event of several markers', () => {
    const item = { type: 'code_interpreter_call', code: TEXT, outputs: [], output: [1], usage: { x: 1 } };
    const events = [{ type: 'response.output_item.done', output_index: 0, item }];
    expect(createTap(openAiResponsesStreamRules, events).tap.meter.bytes).toBe(TEXT.length);
  });

  it('is not covered by a report without output', () => {
    const usage = { prompt_tokens: 5 };
    const { tap } = createTap(chatRules, [{ choices: [], usage }]);
    expect(tap.report?.usage.inputTokens).toBe(5);
    expect(tap.isReportFinal).toBe(false);
  });

  it('excludes results of the provider’s tools', () => {
    const result = { type: 'web_search_tool_result', content: [{ type: 'web_search_result', title: TEXT }] };
    const events = [{ type: 'content_block_start', index: 0, content_block: result }];
    expect(createTap(anthropicStreamRules, events).tap.meter.bytes).toBe(0);
  });
});

describe('an error inside a stream that is no error itself', () => {
  const message = 'upstream 401 for key SECRET';
  const redact = (text: string) => text.replaceAll('SECRET', '[redacted]');
  const content = 'What the model wrote: "error": SECRET';
  const search = { type: 'web_search_tool_result_error', error_code: 'unavailable', message };

  it.each<[string, StreamRules, object]>([
    [
      'of a choice',
      chatRules,
      { choices: [{ index: 0, delta: {}, finish_reason: 'error', error: { message } }] },
    ],
    [
      'next to the choices',
      chatRules,
      { x_groq: { error: message }, choices: [{ index: 0, delta: { content } }] },
    ],
    [
      'of an item',
      openAiResponsesStreamRules,
      { type: 'response.output_item.done', item: { error: { message } } },
    ],
    [
      'of a completed response',
      openAiResponsesStreamRules,
      {
        type: 'response.completed',
        response: { error: { message }, usage: { output_tokens: 1, input_tokens: 1 } },
      },
    ],
    [
      'of a tool',
      anthropicStreamRules,
      { type: 'content_block_start', content_block: { type: 'web_search_tool_result', content: search } },
    ],
  ])('shows no credential: %s', (_name, rules, event) => {
    const { relayed } = createTap(rules, [event], redact);
    expect(relayed).not.toContain('key SECRET');
    expect(relayed).toContain('key [redacted]');
    if (JSON.stringify(event).includes('What the model')) expect(relayed).toContain(JSON.stringify(content));
    // Only a small event gets the name that it lacks.
    const written = relayed.replace(/^event: .*\n/, '');
    expect(createTap(rules, [event], redact, 10).relayed).toBe(written);
  });

  it('shows no credential to the carrier of items', () => {
    const items: unknown[] = [];
    const onItem = (item: unknown) => items.push(item);
    const tap = new StreamTap(openAiResponsesStreamRules, redact, { onItem });
    const item = { id: 'mcp_1', type: 'mcp_call', error: { message } };
    tap.push(Buffer.from(`data: ${JSON.stringify({ type: 'response.output_item.done', item })}\n\n`));
    expect(items).toEqual([{ ...item, error: { message: redact(message) } }]);
  });

  it('keeps the text of the model unchanged', () => {
    const item = { type: 'message', content: [{ type: 'output_text', text: content }], error: null };
    const event = { type: 'response.output_item.done', item };
    expect(createTap(openAiResponsesStreamRules, [event], redact).relayed).toContain(JSON.stringify(content));
  });

  it.each([72_000, 10])('changes nothing else of a failed response (%i characters)', (length) => {
    const response = {
      instructions: 'a'.repeat(length),
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'b'.repeat(9_000) }] }],
      usage: { input_tokens: 1, output_tokens: 2 },
      status: 'failed',
      error: { code: 'server_error', message },
    };
    const failed = (said: string) => ({
      type: 'response.failed',
      response: { ...response, error: { ...response.error, message: said } },
    });
    const cut = (text: string) => redact(text.slice(0, 8_000));
    const { relayed } = createTap(openAiResponsesStreamRules, [failed(message)], cut);
    expect(JSON.parse(relayed.slice('data: '.length))).toEqual(failed(redact(message)));
  });

  it('is an error if a choice reports one', () => {
    const event = { choices: [{ index: 0, delta: {}, finish_reason: 'error' }] };
    expect(createTap(chatRules, [event]).tap.sawError).toBe(true);
  });
});

describe('the end of a stream', () => {
  const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const usage = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } };

  it('is clean without a terminator, for any split of the last events', () => {
    expect(
      createTap(chatRules, [...chat((content) => ({ content })), finish, usage]).tap.finish().isClean,
    ).toBe(true);
    expect(
      createTap(chatRules, [finish, usage, ...chat((content) => ({ content }))]).tap.finish().isClean,
    ).toBe(false);
  });

  it.each<[string, StreamRules, object]>([
    ['messages', anthropicStreamRules, { type: 'message_stop' }],
    [
      'responses',
      openAiResponsesStreamRules,
      { sequence_number: 9, response: { output: [ITEM], usage: null }, type: 'response.completed' },
    ],
  ])('is known by its data if events have no names: %s', (_name, rules, event) => {
    expect(createTap(rules, [event]).tap.terminated).toBe(true);
  });
});
