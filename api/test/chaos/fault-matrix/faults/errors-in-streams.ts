import type { Dialect } from '../cell.ts';
import { always, either, type Fault } from '../fault.ts';
import { withEvents, withStatus, type Plan } from '../plan.ts';

/** Errors inside a response of status 200, as the dialects write them. */
const ERRORS: Record<Dialect, (kind: string) => string> = {
  'openai-chat': (kind) =>
    `data: ${JSON.stringify({ error: { message: 'It broke.', type: kind, code: null } })}\n\n`,
  'anthropic-messages': (kind) =>
    `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: kind, message: 'It broke.' } })}\n\n`,
  'openai-responses': (kind) =>
    `event: error\ndata: ${JSON.stringify({ type: 'error', sequence_number: 3, code: kind, message: 'It broke.', param: null })}\n\n`,
};
/** Events that precede the content. */
const OPENING: Record<Dialect, number> = { 'openai-chat': 1, 'anthropic-messages': 2, 'openai-responses': 4 };
const WHOLE = { error: { message: 'It broke.', type: 'server_error' }, type: 'error' };

function inStream(name: string, place: 'first' | 'opening' | 'content' | 'finish', kind: string): Fault {
  const isEarly = place === 'first' || place === 'opening';
  return {
    name,
    provoke: (plan, { dialect, isStream }) =>
      isStream
        ? withEvents(plan, (events) => [...events.slice(0, getPlace(place, dialect)), ERRORS[dialect](kind)])
        : withStatus(plan, 200, WHOLE),
    expected: isEarly ? always('second') : either('ended', 'second'),
  };
}

function getPlace(place: 'first' | 'opening' | 'content' | 'finish', dialect: Dialect): number {
  if (place === 'first') return 0;
  return OPENING[dialect] + { opening: 0, content: 4, finish: 12 }[place];
}

/** Only streams can have it: a whole response of the same kind is the error body of another fault. */
const failedResponse: Fault = {
  name: 'the response that failed, after some content',
  provoke: (plan, { dialect, isStream }) => {
    if (!isStream)
      return withStatus(plan, 200, {
        object: 'response',
        status: 'failed',
        error: { code: 'server_error', message: 'It broke.' },
        output: [],
      });
    return withEvents(plan, (events) => [
      ...events.slice(0, 8),
      dialect === 'openai-responses' ? writeFailed(events) : ERRORS[dialect]('api_error'),
    ]);
  },
  expected: either('ended', 'second'),
};

function writeFailed([first = '']: string[]): string {
  const { response } = JSON.parse(/^data: (.*)$/m.exec(first)?.[1] ?? '{}') as { response: object };
  const failed = { ...response, status: 'failed', error: { code: 'server_error', message: 'It broke.' } };
  return `event: response.failed\ndata: ${JSON.stringify({ type: 'response.failed', sequence_number: 8, response: failed })}\n\n`;
}

const withContentAfter = (plan: Plan, dialect: Dialect) =>
  withEvents(plan, (events) => [...events.slice(0, 7), ERRORS[dialect]('api_error'), ...events.slice(7)]);

export const ERRORS_IN_STREAMS: readonly Fault[] = [
  inStream('overloaded_error as the first event', 'first', 'overloaded_error'),
  inStream('overloaded_error before the content', 'opening', 'overloaded_error'),
  inStream('api_error before the content', 'opening', 'api_error'),
  inStream('rate_limit_error before the content', 'opening', 'rate_limit_error'),
  inStream('overloaded_error midway', 'content', 'overloaded_error'),
  inStream('timeout_error after the last text', 'finish', 'timeout_error'),
  failedResponse,
  {
    name: 'an error midway, and then the rest',
    provoke: (plan, { dialect, isStream }) =>
      isStream ? withContentAfter(plan, dialect) : withStatus(plan, 200, WHOLE),
    expected: either('ended', 'second'),
  },
];
