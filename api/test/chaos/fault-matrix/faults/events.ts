import { Buffer } from 'node:buffer';
import type { Call, Cell, Dialect } from '../cell.ts';
import { always, either, type Expected, type Fault } from '../fault.ts';
import { withBody, withEvents, withText } from '../plan.ts';
import { NOTHING } from '../said.ts';

const isTerminator = (event: string) => /\[DONE\]|event: (?:message_stop|response\.completed)/.test(event);

/** Of a whole response, blanks between its tokens are changed in place of lines. */
function lines(
  name: string,
  change: (text: string) => string,
  whole: (text: string) => string = (text) => text,
): Fault {
  return {
    name,
    provoke: (plan, { isStream }) => withText(plan, (text) => (isStream ? change(text) : whole(text))),
    expected: always('first'),
  };
}

function insert(name: string, event: (call: Call) => string, everywhere = true): Fault {
  return {
    name,
    provoke: (plan, call) =>
      call.isStream
        ? withEvents(plan, (events) =>
            events.flatMap((each, at) => (everywhere || at === 6 ? [event(call), each] : [each])),
          )
        : plan,
    expected: always('first'),
  };
}

const spaced = (text: string) => JSON.stringify(JSON.parse(text), null, 2);

const UNKNOWN: Record<Dialect, string> = {
  'openai-chat': 'event: trace\ndata: {"choices":[],"trace":"none"}\n\n',
  'anthropic-messages': 'event: trace\ndata: {"type":"trace","text":"none"}\n\n',
  'openai-responses': 'event: response.trace\ndata: {"type":"response.trace","trace":"none"}\n\n',
};

/** Streams that are written unusually, and are complete. */
export const EVENTS: readonly Fault[] = [
  lines(
    'lines that end with CRLF',
    (text) => text.replaceAll('\n', '\r\n'),
    (text) => spaced(text).replaceAll('\n', '\r\n'),
  ),
  lines(
    'lines that end with CR',
    (text) => text.replaceAll('\n', '\r'),
    (text) => spaced(text).replaceAll('\n', '\r'),
  ),
  lines(
    'no blank after the colon',
    (text) => text.replaceAll(/^(data|event): /gm, '$1:'),
    (text) => text,
  ),
  lines('data of several lines', (text) => text.replaceAll(/^data: \{(.*)$/gm, 'data: {\ndata:$1'), spaced),
  lines('no names of events', (text) => text.replaceAll(/^event: .*\n/gm, '')),
  lines('ids and retry times', (text) => text.replaceAll(/^data:/gm, 'id: 7\nretry: 500\ndata:')),
  lines('fields that are none', (text) => text.replaceAll(/^data:/gm, 'foo: bar\ndata:')),
  insert('comments between the events', () => ': PROCESSING\n\n'),
  insert('blank lines between the events', () => '\n\n'),
  insert('a comment of 200 KB', () => `: ${'x'.repeat(200_000)}\n\n`, false),
  insert('unknown events', ({ dialect }) => UNKNOWN[dialect], false),
  {
    name: 'an unknown event of 300 KB',
    provoke: (plan, { dialect, isStream }) => {
      const text = 'x'.repeat(300_000);
      if (!isStream) return withBody(plan, (body) => ({ ...body, x_large: text }));
      return withEvents(plan, (events) => [
        ...events.slice(0, 6),
        UNKNOWN[dialect].replace('none', text),
        ...events.slice(6),
      ]);
    },
    expected: always('first'),
  },
  {
    name: 'a comment, and then silence',
    provoke: (plan, { isStream }) =>
      isStream
        ? { ...withText(plan, () => ': PROCESSING\n\n'), end: 'stall' }
        : { ...withText(plan, () => ' '), framing: 'chunked', end: 'stall' },
    expected: always('second'),
    isSlow: true,
  },
  {
    name: 'comments without an end',
    provoke: (plan) => ({
      ...plan,
      framing: 'chunked',
      pieces: Array.from({ length: 60 }, () =>
        Buffer.from(plan.headers.join().includes('event-stream') ? ': PROCESSING\n\n' : ' '),
      ),
      intervalMs: 400,
      end: 'stall',
    }),
    expected: always('second'),
    isSlow: true,
  },
  {
    name: 'the terminator twice',
    provoke: (plan, { isStream }) =>
      isStream ? withEvents(plan, (events) => [...events, ...events.filter(isTerminator)]) : plan,
    expected: always('first'),
  },
  {
    name: 'another response after the terminator',
    provoke: (plan, { isStream }) =>
      isStream
        ? withEvents(plan, (events) => [...events, ...events])
        : withText(plan, (text) => `${text}${text}`),
    expected: either('first', 'second'),
  },
  {
    name: 'text after the terminator',
    provoke: (plan, { isStream }) =>
      isStream ? withEvents(plan, (events) => [...events, ...events.slice(6, 8)]) : plan,
    expected: always('first'),
  },
  {
    name: 'an event whose JSON breaks off',
    provoke: (plan, { isStream }) =>
      isStream
        ? withEvents(plan, (events) => [
            ...events.slice(0, 7),
            'data: {"choices":[{"delta":{"con\n\n',
            ...events.slice(7),
          ])
        : withText(plan, (text) => text.slice(0, -3)),
    expected: either('ended', 'second'),
  },
  {
    name: 'an event that is no JSON',
    provoke: (plan, { isStream }) =>
      isStream
        ? withEvents(plan, (events) => [
            ...events.slice(0, 7),
            'data: upstream timed out\n\n',
            ...events.slice(7),
          ])
        : withText(plan, () => 'upstream timed out'),
    expected: either('ended', 'second'),
  },
  {
    name: 'all events in one write',
    provoke: (plan) => ({ ...plan, intervalMs: 0 }),
    expected: always('first'),
  },
  {
    name: 'only the terminator',
    provoke: (plan, { isStream }) =>
      isStream
        ? withEvents(plan, (events) =>
            events
              .filter(isTerminator)
              .map((event) => event.replace(/"output":\[.*\],"usage"/, '"output":[],"usage"')),
          )
        : withText(plan, () => '{}'),
    // Of a response of OpenAI, the last event has everything, and this one has no items.
    expected: ({ dialect, isStream }) =>
      dialect === 'openai-responses' && isStream
        ? { end: 'first', said: { ...NOTHING, output: 12 } }
        : { end: 'second' },
  },
  {
    name: 'the beginning left out',
    provoke: (plan, { isStream }) => (isStream ? withEvents(plan, (events) => events.slice(1)) : plan),
    expected: needsStart,
  },
  {
    name: 'the beginning after the first text',
    provoke: (plan, { dialect, isStream }) =>
      isStream ? withEvents(plan, (events) => swap(events, dialect)) : plan,
    expected: needsStart,
  },
  {
    name: 'ids that change',
    provoke: (plan, { isStream }) =>
      isStream
        ? withEvents(plan, (events) => events.map((event, at) => event.replaceAll(/matrix1/g, `matrix${at}`)))
        : plan,
    expected: always('first'),
  },
  {
    name: 'null in place of a text',
    provoke: (plan, { dialect, isStream }) =>
      isStream && dialect === 'openai-chat'
        ? withEvents(plan, (events) =>
            events.flatMap((event) => (event.includes('drei') ? [toNull(event), event] : [event])),
          )
        : plan,
    expected: always('first'),
  },
];

/** A message without its start cannot be read. */
function needsStart({ dialect, isStream }: Cell): Expected {
  return { end: dialect === 'anthropic-messages' && isStream ? 'second' : 'first' };
}

function swap(events: readonly string[], dialect: Dialect): string[] {
  const first = events.findIndex((event) => event.includes('Der '));
  const [beginning = '', ...rest] = events;
  return dialect === 'openai-chat' || first < 1
    ? [...rest.slice(0, 1), beginning, ...rest.slice(1)]
    : [...rest.slice(0, first), beginning, ...rest.slice(first)];
}

function toNull(event: string): string {
  return event.replace('"drei, "', 'null');
}
