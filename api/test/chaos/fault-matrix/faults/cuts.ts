import { Buffer } from 'node:buffer';
import type { Dialect } from '../cell.ts';
import { always, either, type Fault } from '../fault.ts';
import { cutAt, findOffset, joinText, withEvents, type Plan } from '../plan.ts';

const LINE: Record<Dialect, string> = {
  'openai-chat': '{"content":"drei',
  'anthropic-messages': '"text":"drei',
  'openai-responses': '"delta":"drei',
};

/** The start of the event that ends a complete stream. */
const TERMINATOR: Record<Dialect, string> = {
  'openai-chat': 'data: [DONE]',
  'anthropic-messages': 'event: message_stop',
  'openai-responses': 'event: response.completed',
};

/** Offset of the last bytes of a whole body. */
function beforeTerminator(plan: Plan, dialect: Dialect, isStream: boolean): number {
  return isStream ? findOffset(plan, TERMINATOR[dialect]) : Infinity;
}

/** Events of a stream up to the first content. */
const opening = (plan: Plan) => findOffset(plan, 'Der ') - 20;

/** Responses that break off, pause, or never end. A whole response breaks off at the same text. */
export const CUTS: readonly Fault[] = [
  {
    name: 'cut inside a character',
    provoke: (plan) => cutAt(plan, findOffset(plan, '🙂', 2), 'fin'),
    expected: either('ended', 'second'),
  },
  {
    name: 'reset inside a character',
    provoke: (plan) => cutAt(plan, findOffset(plan, '🙂', 2), 'reset'),
    expected: either('ended', 'second'),
  },
  {
    name: 'cut inside a JSON escape',
    provoke: (plan) => cutAt(plan, findOffset(plan, String.raw`\n`, 1), 'fin'),
    expected: either('ended', 'second'),
  },
  {
    name: 'cut inside a line of an event',
    provoke: (plan, { dialect, isStream }) =>
      cutAt(plan, isStream ? findOffset(plan, LINE[dialect], 4) : findOffset(plan, 'drei'), 'fin'),
    expected: either('ended', 'second'),
  },
  {
    name: 'a clean end inside a line of an event',
    provoke: (plan, { dialect, isStream }) =>
      cutAt(plan, isStream ? findOffset(plan, LINE[dialect], 4) : findOffset(plan, 'drei'), 'whole'),
    expected: either('ended', 'second'),
  },
  {
    name: 'cut between two events',
    provoke: (plan) => cutEvents(plan, 8, 'fin'),
    expected: either('ended', 'second'),
  },
  {
    name: 'a clean end between two events',
    provoke: (plan) => cutEvents(plan, 8, 'whole'),
    expected: either('ended', 'second'),
  },
  {
    name: 'cut before the first content',
    provoke: (plan) => cutAt(plan, opening(plan), 'fin'),
    expected: always('second'),
  },
  {
    name: 'silence before the first content',
    provoke: (plan) => ({ ...cutAt(plan, opening(plan), 'stall'), framing: 'chunked' }),
    expected: always('second'),
    isSlow: true,
  },
  {
    name: 'silence after some content',
    provoke: (plan) => ({ ...cutEvents(plan, 8, 'stall'), framing: 'chunked' }),
    expected: either('ended', 'second'),
    isSlow: true,
  },
  {
    name: 'slower than the idle timeout',
    provoke: (plan) => drip(plan, 2, 4_000),
    expected: either('ended', 'second'),
    isSlow: true,
  },
  {
    name: 'slow, within the idle timeout',
    provoke: (plan, { isStream }) => drip(plan, isStream ? 20 : 8, 200),
    expected: always('first'),
    isSlow: true,
  },
  {
    name: 'cut after the content, before the end',
    provoke: (plan, { dialect, isStream }) =>
      cutAt(plan, isStream ? findEnding(plan, dialect) : joinText(plan).length - 4, 'fin'),
    expected: either('ended', 'second'),
  },
  {
    name: 'a clean end without the terminator',
    provoke: (plan, { dialect, isStream }) => cutAt(plan, beforeTerminator(plan, dialect, isStream), 'whole'),
    // Only chat completions say before their terminator that they are complete.
    expected: ({ dialect, isStream }) => ({
      end: dialect === 'openai-chat' || !isStream ? 'first' : 'ended',
    }),
  },
  {
    name: 'cut without the terminator',
    provoke: (plan, { dialect, isStream }) => cutAt(plan, beforeTerminator(plan, dialect, isStream), 'fin'),
    expected: ({ isStream }) => ({ end: isStream ? 'ended' : 'first' }),
  },
  {
    name: 'silence after the terminator',
    provoke: (plan, { isStream }) => ({ ...plan, framing: 'chunked', end: isStream ? 'stall' : 'whole' }),
    expected: always('first'),
    isSlow: true,
  },
  {
    name: 'reset after the terminator',
    provoke: (plan, { isStream }) => ({ ...plan, end: isStream ? 'reset' : 'whole-reset' }),
    expected: always('first'),
  },
];

function cutEvents(plan: Plan, events: number, end: Plan['end']): Plan {
  return plan.pieces.length > events
    ? { ...withEvents(plan, (all) => all.slice(0, events)), end }
    : cutAt(plan, findOffset(plan, 'drei'), end);
}

/** @param pieces in how many writes */
function drip(plan: Plan, pieces: number, intervalMs: number): Plan {
  const bytes = Buffer.concat(plan.pieces);
  const size = Math.ceil(bytes.length / pieces);
  const parts = Array.from({ length: pieces }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
  return { ...plan, pieces: parts.filter(({ length }) => length > 0), intervalMs };
}

/** After the last text, before the finish reason. */
function findEnding(plan: Plan, dialect: Dialect): number {
  const marks: Record<Dialect, string> = {
    'openai-chat': '"delta":{},',
    'anthropic-messages': 'event: message_delta',
    'openai-responses': 'event: response.output_item.done',
  };
  return findOffset(plan, marks[dialect]);
}
