import { Buffer } from 'node:buffer';
import type { Dialect } from '@tollgate/core/models/dialect';
import { describe, expect, it } from 'vitest';
import { anthropicStreamRules } from './anthropic-messages/stream-rules.ts';
import { getCodec } from './codec.ts';
import { getDialectRules } from './dialect-rules.ts';
import { createOpenAiStreamRules } from './openai-chat/stream-rules.ts';
import { openAiResponsesStreamRules } from './openai-responses/stream-rules.ts';
import { createSseParser } from './sse/parse-events.ts';
import type { StreamRules } from './stream-rules.ts';
import { StreamTap } from './stream-tap.ts';

const RULES: Record<Dialect, StreamRules> = {
  'openai-chat': createOpenAiStreamRules(true),
  'anthropic-messages': anthropicStreamRules,
  'openai-responses': openAiResponsesStreamRules,
};
const named = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const BEGIN: Record<Dialect, string> = {
  'openai-chat': event({ id: 'x', choices: [{ index: 0, delta: { content: 'Hello' } }] }),
  'anthropic-messages':
    event({ type: 'message_start', message: { id: 'x', content: [] } }) +
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) +
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } }),
  'openai-responses':
    event({ type: 'response.created', response: { id: 'x', output: [], error: null } }) +
    event({ type: 'response.output_text.delta', output_index: 0, delta: 'Hello' }),
};
const DONE = 'data: [DONE]\n\n';
const STOP = named('message_stop', { type: 'message_stop' });
const completed = event({ type: 'response.completed', response: { output: [], error: null } });
const chunk = (choice: object) => event({ choices: [{ index: 0, delta: {}, ...choice }] });
const error = { message: 'boom', code: 500 };

/** How the same-dialect upstreams and the translated upstreams see a stream. */
function readBoth(dialect: Dialect, text: string) {
  const tap = new StreamTap(RULES[dialect]);
  tap.push(Buffer.from(text));
  const { isClean } = tap.finish();
  const decoder = getCodec(dialect).createStreamDecoder();
  const parser = createSseParser();
  const events = [...parser.push(Buffer.from(text)), ...parser.finish()].flatMap((each) =>
    decoder.push(each),
  );
  const failure = [...events, ...decoder.finish()].find(({ type }) => type === 'error');
  return { relayed: tap.sawError || !isClean, translated: failure !== undefined, failure };
}

describe('an error after the first word is detected in passthrough and in translation', () => {
  it.each<[Dialect, string, string]>([
    ['openai-responses', 'an error without a type', event({ error }) + DONE],
    ['openai-responses', 'no end but [DONE]', DONE],
    ['openai-responses', 'an event by its name', named('error', error) + completed],
    [
      'openai-responses',
      'a failed response without a name',
      event({ type: 'response.failed', response: {} }),
    ],
    ['openai-responses', 'a failed response by its name', named('response.failed', { response: {} })],
    [
      'openai-responses',
      'a completed response with an error',
      event({ type: 'response.completed', response: { output: [], error } }),
    ],
    ['openai-chat', 'an event by its name', named('error', error) + DONE],
    ['openai-chat', 'a named event with CRLF', named('error', error).replaceAll('\n', '\r\n') + DONE],
    ['openai-chat', 'a choice that failed', chunk({ finish_reason: 'stop', error }) + DONE],
    ['openai-chat', 'a choice that ends with an error', chunk({ finish_reason: 'error' }) + DONE],
    ['openai-chat', 'an object called error', event({ object: 'error', message: 'boom' }) + DONE],
    ['anthropic-messages', 'an event by its name', named('error', error) + STOP],
    ['anthropic-messages', 'an error without a type', event({ error }) + STOP],
    ['anthropic-messages', 'an error', event({ type: 'error', error }) + STOP],
  ])('%s: %s', (dialect, _name, text) => {
    expect(readBoth(dialect, BEGIN[dialect] + text)).toMatchObject({ relayed: true, translated: true });
  });

  it('the message of a choice is returned', () => {
    const { failure } = readBoth('openai-chat', chunk({ finish_reason: 'stop', error }));
    expect(failure).toMatchObject({ message: 'boom' });
  });
});

describe('a stream with error: null has no error', () => {
  it.each<[Dialect, string]>([
    ['openai-chat', chunk({ finish_reason: 'stop', error: null }) + event({ error: '', choices: [] }) + DONE],
    ['openai-responses', completed + DONE],
    ['anthropic-messages', event({ type: 'ping', error: null }) + STOP],
  ])('%s', (dialect, text) => {
    expect(readBoth(dialect, BEGIN[dialect] + text)).toMatchObject({ relayed: false, translated: false });
  });
});

it('a named error after a usage event in the same read is detected', () => {
  const usage = event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } });
  expect(readBoth('openai-chat', BEGIN['openai-chat'] + usage + named('error', error)).relayed).toBe(true);
});

it.each<[Dialect, object, boolean]>([
  ['openai-chat', { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop', error: null }] }, true],
  ['openai-chat', { choices: [{ message: { content: 'Hi' }, finish_reason: 'error', error }] }, false],
  ['openai-chat', { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop', error }] }, false],
  ['openai-chat', { choices: [{ message: { content: 'Hi' } }], error }, false],
  ['openai-chat', { object: 'error', message: 'boom', choices: [{}] }, false],
  ['anthropic-messages', { type: 'message', content: [{ type: 'text', text: 'Hi' }], error: null }, true],
  ['anthropic-messages', { type: 'message', content: [{ type: 'text', text: 'Hi' }], error }, false],
  ['openai-responses', { object: 'response', output: [], error: null, status: 'completed' }, true],
  ['openai-responses', { object: 'response', output: [], error: null, status: 'failed' }, false],
  ['openai-responses', { object: 'response', output: [], error }, false],
])('a whole body of %s is judged like a stream: %j', (dialect, body, isAnswer) => {
  expect(getDialectRules(dialect).isAnswer({ ...body })).toBe(isAnswer);
});

it.each<[Dialect, object]>([
  ['anthropic-messages', { index: 0, type: 'message_stop' }],
  [
    'openai-responses',
    { sequence_number: 3, type: 'response.completed', response: { output: [], usage: null } },
  ],
  ['openai-responses', { type: 'response.incomplete', response: { output: [] } }],
])('the end of a stream of %s is known whatever the order of its members: %j', (dialect, end) => {
  expect(readBoth(dialect, BEGIN[dialect] + event(end))).toMatchObject({ relayed: false, translated: false });
});
