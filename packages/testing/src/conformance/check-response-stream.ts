import { isDeepStrictEqual } from 'node:util';
import type { Response, ResponseOutputItem, ResponseStreamEvent } from 'openai/resources/responses/responses';
import type { StreamExpectation } from './check-chat-stream.ts';
import { checkResponseRules, checkResponseStreamEvent } from './check-response.ts';
import { parseData, parseSse } from './parse-sse.ts';
import { ResponseItemWalk, type ItemEvent } from './response-item-walk.ts';

const OPENING = ['response.created', 'response.in_progress'];
const ENDS: Readonly<Record<StreamExpectation['ending'], readonly string[]>> = {
  whole: ['response.completed', 'response.incomplete'],
  error: ['error', 'response.failed'],
};

/**
 * Checks a whole response stream against the OpenAI SDK's types and the order that clients expect: numbered from 0,
 * created and in progress first, items opened, filled and closed, closing events equal to the joined deltas, and a last
 * response that holds all of it.
 * @returns the error messages; empty: it conforms
 */
export function checkResponseStream(body: string, { ending }: Pick<StreamExpectation, 'ending'>): string[] {
  const { events, violations } = parseSse(body);
  const parsed = events.map(({ data }) => parseData(data));
  for (const [place, event] of parsed.entries()) {
    if (events[place]?.name !== event?.['type']) violations.push(`event ${place}: its name is not its type`);
    violations.push(...checkResponseStreamEvent(event).map((violation) => `event ${place}: ${violation}`));
    // An error added to a relayed stream has no sequence number of that stream; clients stop there anyway.
    if (event?.['sequence_number'] !== place && event?.['type'] !== 'error')
      violations.push(`event ${place}: its sequence_number is not ${place}`);
  }
  if (violations.length > 0) return violations;
  return checkOrder(
    parsed.map((event) => event as unknown as ResponseStreamEvent),
    ending,
  );
}

function checkOrder(events: readonly ResponseStreamEvent[], ending: StreamExpectation['ending']): string[] {
  const violations: string[] = [];
  const types = events.map(({ type }) => type);
  if (!isDeepStrictEqual(types.slice(0, 2), OPENING))
    violations.push('the order: must open with created, in_progress');
  const ends = [...ENDS.whole, ...ENDS.error];
  const first = types.findIndex((type) => ends.includes(type));
  if (first === -1 || types.slice(first).some((type) => !ENDS[ending].includes(type)))
    return [...violations, `the stream: must end with ${ENDS[ending].join(' or ')}`];
  if (ending === 'whole' && first !== types.length - 1) violations.push('the stream: ends twice');
  const responses = events.flatMap((event) => ('response' in event ? [event.response] : []));
  if (new Set(responses.map(({ id }) => id)).size > 1) violations.push('response.id: changes');
  const walk = new ResponseItemWalk();
  for (const event of events) if (isItemEvent(event)) walk.take(event);
  violations.push(...walk.violations);
  const last = responses.at(-1);
  if (ending === 'error' || last === undefined) return violations;
  return [...violations, ...walk.checkEnd(), ...checkEnd(last, types.at(-1) ?? '', walk.done)];
}

function isItemEvent(event: ResponseStreamEvent): event is ItemEvent {
  return 'output_index' in event;
}

function checkEnd(last: Response, type: string, done: readonly ResponseOutputItem[]): string[] {
  const violations = checkResponseRules(last);
  if (type !== `response.${last.status}`) violations.push(`status: ${last.status} ends with ${type}`);
  if (!isDeepStrictEqual(last.output, done))
    violations.push('output: is not what the items of the stream were');
  return violations;
}
