import { describe, expect, it } from 'vitest';
import { checkMessage } from './check-message.ts';
import { checkMessageStream } from './check-message-stream.ts';

const counts = {
  input_tokens: 3,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 2,
};
const usage = { ...counts, cache_creation: null };
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  stop_details: null,
  usage,
};
const text = { type: 'text', text: '' };
const call = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {}, caller: { type: 'direct' } };
const start = (index: number, block: object) => ({
  type: 'content_block_start',
  index,
  content_block: block,
});
const delta = (index: number, inner: object) => ({ type: 'content_block_delta', index, delta: inner });
const stop = (index: number) => ({ type: 'content_block_stop', index });
const ending = (reason: string) => ({
  type: 'message_delta',
  delta: { stop_reason: reason, stop_sequence: null, stop_details: null },
  usage: counts,
});
const good: ({ type: string } & Record<string, unknown>)[] = [
  { type: 'message_start', message },
  { type: 'ping' },
  start(0, text),
  delta(0, { type: 'text_delta', text: 'Hi' }),
  stop(0),
  start(1, call),
  delta(1, { type: 'input_json_delta', partial_json: '{}' }),
  stop(1),
  ending('tool_use'),
  { type: 'message_stop' },
];
const write = (events: readonly { type: string }[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
const put = (place: number, ...events: ({ type: string } & Record<string, unknown>)[]) =>
  good.toSpliced(place, 1, ...events);

const BROKEN: [string, string, RegExp][] = [
  ['no message_stop', write(good.slice(0, -1)), /must end with message_stop/],
  ['an error instead of the end', write(put(9, errorEvent('api_error'))), /must end with message_stop/],
  [
    'a null that Anthropic leaves out',
    write(put(0, { type: 'message_start', message: { ...message, container: null } })),
    /container: must be left out instead of null/,
  ],
  ['an event under another name', write(good).replace('event: ping', 'event: pong'), /name is not its type/],
  ['an unknown member', write(put(4, { ...stop(0), extra: 1 })), /additional properties: extra/],
  ['null citations', write(put(2, start(0, { ...text, citations: null }))), /left out instead of null/],
  ['no message_start', write(good.slice(1)), /message_start must be first/],
  ['a block inside another', write(put(4)), /block 1 opens inside another/],
  ['a block out of order', write(put(2, start(1, text))), /block 1 is out of order/],
  ['a delta of another kind', write(put(6, delta(1, { type: 'text_delta', text: 'x' }))), /does not fit/],
  ['a delta for a closed block', write(put(6, delta(0, { type: 'text_delta', text: 'x' }))), /not open/],
  ['a block closed twice', write(put(4, stop(0), stop(0))), /is not open/],
  ['a block that stays open', write(put(7)), /before a block is closed/],
  ['no message_delta', write(put(8)), /without message_delta/],
  ['message_delta twice', write(put(8, ending('tool_use'), ending('tool_use'))), /comes twice/],
  [
    'a block after message_delta',
    write(put(9, start(2, text), stop(2), { type: 'message_stop' })),
    /after message_delta/,
  ],
  ['end_turn with a call', write(put(8, ending('end_turn'))), /end_turn, and there is a call/],
  ['tool_use without a call', write(good.toSpliced(5, 3)), /tool_use without a call/],
  ['an empty text', write(put(3)), /is an empty text/],
];

function errorEvent(type: string): { type: string } {
  return { type: 'error', error: { type, message: 'm' }, request_id: 'req_1' } as { type: string };
}

describe('checkMessageStream', () => {
  it('accepts a valid stream', () => {
    expect(checkMessageStream(write(good), { ending: 'whole' })).toEqual([]);
  });

  it.each(BROKEN)('finds %s', (_name, body, violation) => {
    expect(checkMessageStream(body, { ending: 'whole' }).join('\n')).toMatch(violation);
  });

  it('accepts an error of the dialect at any point', () => {
    for (let at = 1; at < good.length - 1; at += 1) {
      const broken = write([...good.slice(0, at), errorEvent('overloaded_error')]);
      expect(checkMessageStream(broken, { ending: 'error' })).toEqual([]);
    }
    const unknown = write([...good.slice(0, 2), errorEvent('upstream_overloaded')]);
    expect(checkMessageStream(unknown, { ending: 'error' }).join('\n')).toContain('allowed values');
  });
});

describe('checkMessage', () => {
  const whole = { ...message, content: [{ ...text, text: 'Hi' }], stop_reason: 'end_turn' };

  it('accepts a valid message', () => {
    expect(checkMessage(whole)).toEqual([]);
  });

  it.each<[string, unknown, RegExp]>([
    ['no stop reason', { ...whole, stop_reason: null }, /must not be null at the end/],
    ['an id of another dialect', { ...whole, id: 'chatcmpl-1' }, /start with msg_/],
    ['a sequence without its reason', { ...whole, stop_sequence: 'x' }, /without the reason/],
    ['a refusal without details', { ...whole, stop_reason: 'refusal' }, /stop_details/],
    [
      'input that is text',
      { ...whole, content: [{ ...call, input: '{}' }], stop_reason: 'tool_use' },
      /an object/,
    ],
    ['two calls with one id', { ...whole, content: [call, call], stop_reason: 'tool_use' }, /taken/],
    ['usage that is not a count', { ...whole, usage: { ...usage, output_tokens: 1.5 } }, /1.5 is no count/],
    [
      'a block of another dialect',
      { ...whole, content: [{ type: 'output_text', text: '' }] },
      /allowed values/,
    ],
  ])('finds %s', (_name, value, violation) => {
    expect(checkMessage(value).join('\n')).toMatch(violation);
  });
});
