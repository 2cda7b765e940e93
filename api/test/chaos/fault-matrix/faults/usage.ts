import { always, type Fault } from '../fault.ts';
import { withEvents, withText, type Plan } from '../plan.ts';

/** Every count of output of the reported usage. */
const OUTPUT = /"(output_tokens|completion_tokens)":\d+/g;
const INPUT = /"(input_tokens|prompt_tokens)":\d+/g;
/** The object with the usage of a response. */
const USAGE = /"usage":\{(?:[^{}]|\{[^{}]*\})*\}/g;

/** Replaces something in all events and in whole responses. */
function replace(name: string, pattern: RegExp, by: string): Fault {
  return {
    name,
    provoke: (plan) => withText(plan, (text) => text.replaceAll(pattern, by)),
    expected: always('first', { isEstimated: true }),
  };
}

export const USAGE_FAULTS: readonly Fault[] = [
  replace('usage null', USAGE, '"usage":null'),
  replace('usage as a list', USAGE, '"usage":[]'),
  replace('usage as a text', USAGE, '"usage":"much"'),
  replace('usage without counts', USAGE, '"usage":{}'),
  replace('counts of 10^15', OUTPUT, '"$1":1000000000000000'),
  replace('counts of 10^300', OUTPUT, '"$1":1e300'),
  replace('negative counts', OUTPUT, '"$1":-12'),
  replace('counts with fractions', OUTPUT, '"$1":12.5'),
  replace('negative input', INPUT, '"$1":-20'),
  {
    name: 'counts as texts',
    provoke: (plan) => withText(plan, (text) => text.replaceAll(OUTPUT, '"$1":"12"')),
    expected: always('first'),
  },
  {
    name: 'no output in spite of a text',
    provoke: (plan) =>
      withText(plan, (text) =>
        text.replaceAll(OUTPUT, '"$1":0').replace('"total_tokens":32', '"total_tokens":20'),
      ),
    expected: always('first', { isEstimated: true }),
  },
  {
    name: 'no usage',
    provoke: (plan) =>
      withText(plan, (text) => text.replaceAll(/,"usage":(?:null|\{(?:[^{}]|\{[^{}]*\})*\})/g, '')),
    expected: always('first', { isEstimated: true }),
  },
  {
    name: 'usage twice',
    provoke: (plan, { isStream }) => (isStream ? withEvents(plan, twice) : plan),
    expected: always('first'),
  },
  { name: 'usage in every event', provoke: inEveryEvent, expected: always('first') },
];

function twice(events: string[]): string[] {
  return events.flatMap((event) =>
    /"usage":\{/.test(event) && !/completed|message_start/.test(event) ? [event, event] : [event],
  );
}

function inEveryEvent(plan: Plan): Plan {
  return withEvents(plan, (events) =>
    events.map((event) =>
      event.replace(
        '"usage":null}',
        '"usage":{"prompt_tokens":20,"completion_tokens":12,"total_tokens":32}}',
      ),
    ),
  );
}
