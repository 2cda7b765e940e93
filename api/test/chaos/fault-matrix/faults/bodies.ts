import { Buffer } from 'node:buffer';
import type { Call } from '../cell.ts';
import { always, either, type Fault } from '../fault.ts';
import { createPlan, joinText, withBody, withStatus, withText, withType, type Plan } from '../plan.ts';
import { FIRST } from '../said.ts';

const PAGE = '<html><body>Please sign in.</body></html>';
const whole = (call: Call) => createPlan({ ...call, isStream: false }, FIRST);
const stream = (call: Call) => createPlan({ ...call, isStream: true }, FIRST);

function errorBody({ dialect }: Call): object {
  const error = { message: 'The model crashed.', type: 'server_error', code: 'server_error' };
  return dialect === 'anthropic-messages'
    ? { type: 'error', error: { ...error, type: 'api_error' } }
    : { error };
}

function cutBytes(plan: Plan, text: string): Plan {
  const pieces = plan.pieces.map((piece) => {
    const at = piece.indexOf(text) + 1;
    return at === 0 ? piece : Buffer.concat([piece.subarray(0, at), piece.subarray(at + 1)]);
  });
  return { ...plan, pieces };
}

/** Bodies of a response with status 200. */
export const BODIES: readonly Fault[] = [
  { name: 'a page', provoke: (plan) => withStatus(plan, 200, PAGE), expected: always('second') },
  {
    name: 'a page as JSON or events',
    provoke: (plan) => withText(plan, () => PAGE),
    expected: always('second'),
  },
  {
    name: 'a whole response for a stream, a stream for a whole response',
    provoke: (_, call) => (call.isStream ? whole(call) : stream(call)),
    expected: always('second'),
  },
  {
    name: 'the same, with the type that was expected',
    provoke: (plan, call) => ({
      ...plan,
      pieces: [Buffer.from(joinText(call.isStream ? whole(call) : stream(call)))],
    }),
    expected: always('second'),
  },
  {
    name: 'no content type',
    provoke: (plan) => ({ ...plan, headers: [] }),
    expected: either('second', 'first'),
  },
  {
    name: 'content type text/plain',
    provoke: (plan) => withType(plan, 'text/plain'),
    expected: either('second', 'first'),
  },
  {
    name: 'an error body',
    provoke: (plan, call) => withStatus(plan, 200, errorBody(call)),
    expected: always('second'),
  },
  {
    name: 'an error body as an event',
    provoke: (plan, call) =>
      withText(plan, () =>
        call.isStream ? `data: ${JSON.stringify(errorBody(call))}\n\n` : JSON.stringify(errorBody(call)),
      ),
    expected: always('second'),
  },
  ...['{}', 'null', '[]', '"text"', '42'].map((json): Fault => ({
    name: `the JSON ${json}`,
    provoke: (plan, { isStream }) => withText(plan, () => (isStream ? `data: ${json}\n\n` : json)),
    expected: always('second'),
  })),
  {
    name: 'a body that ends early',
    provoke: (plan) => withText(plan, (text) => text.slice(0, text.indexOf('drei'))),
    expected: either('ended', 'second'),
  },
  {
    name: 'a character without its second byte',
    provoke: (plan) => cutBytes(plan, 'ö'),
    // As every reader of UTF-8 shows it.
    expected: always('first', {
      said: { ...FIRST, pieces: FIRST.pieces.map((piece) => piece.replace('ö', '\ufffd')) },
    }),
  },
  {
    name: 'a body of 200 nested lists',
    provoke: (plan, { isStream }) => {
      const json = `${'['.repeat(200)}${']'.repeat(200)}`;
      return withText(plan, () => (isStream ? `data: ${json}\n\n` : json));
    },
    expected: always('second'),
  },
  {
    name: 'text after the end',
    provoke: (plan) => withText(plan, (text) => `${text}<!-- end -->`),
    // Nothing after the terminator is part of a stream.
    expected: either('first', 'second'),
  },
  {
    name: 'a byte order mark',
    provoke: (plan) => withText(plan, (text) => `\ufeff${text}`),
    expected: always('first'),
  },
  { name: 'unknown members', provoke: changeMembers, expected: always('first') },
];

function changeMembers(plan: Plan, { isStream }: Call): Plan {
  const more = { x_unknown: { note: 'no', list: [1, null] }, x_more: null };
  if (!isStream) return withBody(plan, (body) => ({ ...body, ...more }));
  const added = JSON.stringify(more).slice(1);
  return withText(plan, (text) => text.replaceAll('data: {', `data: {${added.slice(0, -1)},`));
}
