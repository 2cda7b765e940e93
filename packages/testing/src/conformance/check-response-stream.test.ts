import { describe, expect, it } from 'vitest';
import { checkResponse } from './check-response.ts';
import { checkResponseStream } from './check-response-stream.ts';

const item = { id: 'msg_1', type: 'message', role: 'assistant', content: [], status: 'in_progress' };
const text = { type: 'output_text', text: 'Hi', annotations: [], logprobs: [] };
const said = { ...item, content: [text], status: 'completed' };
const call = {
  id: 'fc_1',
  type: 'function_call',
  call_id: 'call_1',
  name: 'f',
  arguments: '',
  status: 'in_progress',
};
const called = { ...call, arguments: '{}', status: 'completed' };
const usage = {
  input_tokens: 3,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: 2,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 5,
};
const whole = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  status: 'completed',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: null,
  model: 'm',
  output: [said, called],
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  usage,
};
const begun = { ...whole, status: 'in_progress', output: [], usage: null };
const inText = { item_id: 'msg_1', output_index: 0, content_index: 0 };
const inCall = { item_id: 'fc_1', output_index: 1 };
type Event = { type: string } & Record<string, unknown>;
const good: Event[] = [
  { type: 'response.created', response: begun },
  { type: 'response.in_progress', response: begun },
  { type: 'response.output_item.added', output_index: 0, item },
  { type: 'response.content_part.added', ...inText, part: { ...text, text: '' } },
  { type: 'response.output_text.delta', ...inText, delta: 'Hi', logprobs: [] },
  { type: 'response.output_text.done', ...inText, text: 'Hi', logprobs: [] },
  { type: 'response.content_part.done', ...inText, part: text },
  { type: 'response.output_item.done', output_index: 0, item: said },
  { type: 'response.output_item.added', output_index: 1, item: call },
  { type: 'response.function_call_arguments.delta', ...inCall, delta: '{}' },
  { type: 'response.function_call_arguments.done', ...inCall, arguments: '{}' },
  { type: 'response.output_item.done', output_index: 1, item: called },
  { type: 'response.completed', response: whole },
];
const write = (events: readonly Event[]) =>
  events
    .map((event, place) => ({ ...event, sequence_number: place }))
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
const put = (place: number, ...events: Event[]) => good.toSpliced(place, 1, ...events);
const change = (place: number, members: object) => {
  const event = good[place];
  return event === undefined ? good : put(place, { ...event, ...members });
};
const errorEvent = { type: 'error', code: 'upstream_error', message: 'm', param: null };

const BROKEN: [string, string, RegExp][] = [
  ['no end', write(good.slice(0, -1)), /must end with response.completed or/],
  ['an error after the end', write([...good, errorEvent]), /must end with/],
  ['two ends', write([...good, ...good.slice(-1)]), /ends twice/],
  ['a skipped number', write(good).replace('"sequence_number":4', '"sequence_number":5'), /is not 4/],
  [
    'another name than its type',
    write(good).replace('event: response.created', 'event: created'),
    /its name/,
  ],
  ['no beginning', write(good.slice(1)), /must open with created/],
  ['an unknown member', write(change(4, { extra: 1 })), /additional properties: extra/],
  ['a missing member', write(change(4, { item_id: undefined })), /property 'item_id'/],
  [
    'another id of the response',
    write(change(1, { response: { ...begun, id: 'resp_2' } })),
    /response.id: changes/,
  ],
  ['an item out of order', write(change(8, { output_index: 2 })), /item 2 is out of order/],
  ['a delta for no item', write(put(8)), /item 1, which is not open/],
  ['another id of the item', write(change(4, { item_id: 'msg_2' })), /calls item 0 msg_2/],
  ['a delta for no part', write(put(3)), /content.0, which is not open/],
  ['a part out of order', write(change(3, { content_index: 1 })), /content.1 is out of order/],
  ['a part that stays open', write(put(6)), /closed before its parts/],
  ['text that differs from its deltas', write(change(5, { text: 'Ho' })), /ends as "Ho"/],
  ['arguments that differ from their deltas', write(change(10, { arguments: '[]' })), /arguments ends as/],
  [
    'an item that differs from its parts',
    write(change(7, { item: { ...said, content: [] } })),
    /what its parts said/,
  ],
  ['an item that stays open', write(put(11)), /item 1 stays open/],
  [
    'an end without all items',
    write(change(12, { response: { ...whole, output: [said] } })),
    /output: is not what/,
  ],
  ['the end of another status', write(change(12, { type: 'response.incomplete' })), /completed ends with/],
];

describe('checkResponseStream', () => {
  it('accepts a valid stream', () => {
    expect(checkResponseStream(write(good), { ending: 'whole' })).toEqual([]);
  });

  it.each(BROKEN)('finds %s', (_name, body, violation) => {
    expect(checkResponseStream(body, { ending: 'whole' }).join('\n')).toMatch(violation);
  });

  it('accepts an error at any point', () => {
    for (let at = 2; at < good.length - 1; at += 1) {
      const broken = write([...good.slice(0, at), errorEvent]);
      expect(checkResponseStream(broken, { ending: 'error' })).toEqual([]);
    }
    expect(checkResponseStream(write(good), { ending: 'error' }).join('\n')).toContain('must end with error');
  });
});

describe('checkResponse', () => {
  it('accepts a valid response, with or without repeated settings', () => {
    expect(checkResponse(whole)).toEqual([]);
    expect(checkResponse({ ...whole, store: false, presence_penalty: 0, user: null })).toEqual([]);
  });

  it.each<[string, unknown, RegExp]>([
    ['no usage', { ...whole, usage: undefined }, /usage: must be there/],
    ['usage that does not add up', { ...whole, usage: { ...usage, total_tokens: 9 } }, /3 \+ 2 is not 9/],
    ['a status that is not final', { ...whole, status: 'in_progress' }, /in_progress is no end/],
    ['a failure without its error', { ...whole, status: 'failed' }, /belongs to failed/],
    ['incomplete without the reason', { ...whole, status: 'incomplete' }, /belongs to incomplete/],
    ['two items with one id', { ...whole, output: [said, said] }, /output.1.id: msg_1 is taken/],
    ['two calls with one id', { ...whole, output: [called, { ...called, id: 'fc_2' }] }, /calls.1.id/],
    ['a message without content', { ...whole, output: [{ ...said, content: [] }] }, /says nothing/],
    ['an item in progress', { ...whole, output: [{ ...said, status: 'in_progress' }] }, /still in progress/],
    ['a setting of another type', { ...whole, store: 'no' }, /store: must be boolean/],
  ])('finds %s', (_name, value, violation) => {
    expect(checkResponse(JSON.parse(JSON.stringify(value))).join('\n')).toMatch(violation);
  });
});
