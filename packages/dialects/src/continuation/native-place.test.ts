import type { Dialect } from '@tollgate/core/models/dialect';
import { describe, expect, it } from 'vitest';
import { NativePlace } from './native-place.ts';

/** Members in the order of their names, as some servers write them: a nested type comes first. */
function sortMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, sortMembers(member)] as const);
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

type Event = { type: string } & Record<string, unknown>;

const MESSAGE: Event[] = [
  { type: 'message_start', message: { type: 'message', content: [] } },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Yes.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: '"type":"ping"' } },
];
const ITEM = { type: 'message', id: 'msg_1', role: 'assistant', content: [] };
const PART = { type: 'output_text', text: '' };
const RESPONSE: Event[] = [
  { type: 'response.created', sequence_number: 0, response: { id: 'resp_1', text: { type: 'text' } } },
  { type: 'response.output_item.added', sequence_number: 1, output_index: 1, item: ITEM },
  {
    type: 'response.content_part.added',
    sequence_number: 2,
    output_index: 1,
    content_index: 0,
    part: PART,
  },
  { type: 'response.output_text.delta', sequence_number: 3, output_index: 1, delta: 'Hello' },
];

function follow(dialect: Dialect, events: readonly Event[], isNamed = true): NativePlace {
  const place = new NativePlace(dialect);
  for (const event of events)
    place.push({ event: isNamed ? event.type : null, data: JSON.stringify(sortMembers(event)) });
  return place;
}

describe('the place in a stream, however its members are ordered', () => {
  it.each([true, false])('is the open block of a message: named events %s', (isNamed) => {
    const { index, ends, isKnown } = follow('anthropic-messages', MESSAGE, isNamed);
    expect({ index, ends, isKnown }).toEqual({ index: 1, ends: 0, isKnown: true });
  });

  it('counts the events that end a text', () => {
    const ends: Event[] = [
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    ];
    expect(follow('anthropic-messages', [...MESSAGE, ...ends]).ends).toBe(2);
  });

  it.each([true, false])('is the open item of a response: named events %s', (isNamed) => {
    const { index, itemId, response, sequence, isKnown } = follow('openai-responses', RESPONSE, isNamed);
    expect({ index, itemId, sequence, isKnown }).toEqual({
      index: 1,
      itemId: 'msg_1',
      sequence: 3,
      isKnown: true,
    });
    expect(response['id']).toBe('resp_1');
  });

  it.each<[string, Event]>([
    ['a second message', { type: 'response.output_item.added', output_index: 2, item: ITEM }],
    ['a second part', { type: 'response.content_part.added', output_index: 1, content_index: 1, part: PART }],
  ])('is not known after %s', (_, event) => {
    expect(follow('openai-responses', [...RESPONSE, event]).isKnown).toBe(false);
  });
});
