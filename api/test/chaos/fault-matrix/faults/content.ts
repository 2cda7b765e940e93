import type { Call } from '../cell.ts';
import { always, type Fault } from '../fault.ts';
import { withEvents, withText, type Plan } from '../plan.ts';
import { FIRST, NOTHING, TWO_CALLS, type Said } from '../said.ts';

const SAME_IDS: Said = { ...TWO_CALLS, calls: TWO_CALLS.calls.map((call) => ({ ...call, id: 'call_same' })) };
const withArguments = (json: string): Said => ({
  ...TWO_CALLS,
  calls: TWO_CALLS.calls.map((call, at) => (at === 1 ? { ...call, arguments: json } : call)),
});

/** Contents of complete responses. */
export const CONTENT: readonly Fault[] = [
  { name: 'calls of tools', said: TWO_CALLS, provoke: (plan) => plan, expected: always('first') },
  {
    name: 'calls of tools with the same id',
    said: SAME_IDS,
    provoke: (plan) => plan,
    expected: always('first'),
  },
  {
    name: 'arguments that break off',
    said: withArguments('{"city":"Os'),
    provoke: (plan) => plan,
    expected: keepsArguments('{"city":"Os'),
  },
  {
    name: 'arguments that are no object',
    said: withArguments('[1]'),
    provoke: (plan) => plan,
    expected: keepsArguments('[1]'),
  },
  { name: 'empty arguments', said: withArguments(''), provoke: (plan) => plan, expected: always('first') },
  { name: 'no content', said: NOTHING, provoke: (plan) => plan, expected: always('first') },
  {
    name: 'empty choices between the others',
    provoke: (plan, { dialect, isStream }) =>
      dialect === 'openai-chat' && isStream
        ? withEvents(plan, (events) => [emptyChoices(events), ...events])
        : plan,
    expected: always('first'),
  },
  {
    name: 'empty choices, content or output',
    provoke: empty,
    // A response without choices is none; an empty list of blocks or items is a complete one.
    expected: ({ dialect }) =>
      dialect === 'openai-chat' ? { end: 'second' } : { end: 'first', said: { ...NOTHING, output: 12 } },
  },
  { name: 'only usage', provoke: onlyUsage, expected: always('second') },
  {
    name: 'null as the content',
    said: NOTHING,
    provoke: (plan, { dialect }) =>
      dialect === 'openai-chat'
        ? withText(plan, (text) => text.replace('"content":""', '"content":null'))
        : plan,
    expected: always('first'),
  },
  {
    name: 'a finish reason that is unknown',
    provoke: (plan) => withText(plan, (text) => text.replaceAll(/"(stop|end_turn)"/g, '"odd"')),
    expected: always('first'),
  },
  {
    name: 'no finish reason',
    provoke: (plan) =>
      withText(plan, (text) =>
        text.replaceAll(/"(finish_reason|stop_reason)":"(stop|end_turn)"/g, '"$1":null'),
      ),
    expected: always('first'),
  },
];

/** A whole message has an object: it names JSON that is none, as Anthropic requests it of clients. */
function keepsArguments(json: string): Fault['expected'] {
  return ({ endpoint, dialect, isStream }) => {
    if (isStream || (endpoint !== 'anthropic-messages' && dialect !== 'anthropic-messages'))
      return { end: 'first' };
    const object = dialect === 'anthropic-messages' ? '{}' : JSON.stringify({ INVALID_JSON: json });
    return { end: 'first', said: withArguments(object) };
  };
}

function emptyChoices([first = '']: readonly string[]): string {
  return first.replace(/"choices":\[.*?\}\],"usage"/, '"choices":[],"usage"');
}

/** A response that says that it is complete, and has nothing. */
function empty(plan: Plan, { dialect, isStream }: Call): Plan {
  if (!isStream)
    return withText(plan, (text) => text.replace(/"(choices|content|output)":\[.*\]/, '"$1":[]'));
  if (dialect === 'openai-chat')
    return withEvents(plan, (events) => [emptyChoices(events), ...events.slice(-1)]);
  return withEvents(plan, (events) =>
    events
      .filter((event) => !/^event: (?:content_block|response\.(?:output|content))/.test(event))
      .map((event) => event.replace(/"output":\[.*\],"usage"/, '"output":[],"usage"')),
  );
}

function onlyUsage(plan: Plan, { dialect, isStream }: Call): Plan {
  if (!isStream)
    return withText(
      plan,
      () =>
        `{"usage":{"input_tokens":${FIRST.input},"output_tokens":0,"prompt_tokens":20,"completion_tokens":0,"total_tokens":20}}`,
    );
  if (dialect === 'openai-chat') return withEvents(plan, (events) => events.slice(-2));
  return withEvents(plan, (events) =>
    events.filter((event) => event.includes('"usage":{') && !event.includes('completed')),
  );
}
