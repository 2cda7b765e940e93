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
  const { events, faults } = parseSse(body);
  const parsed = events.map(({ data }) => parseData(data));
  for (const [place, event] of parsed.entries()) {
    if (events[place]?.name !== event?.['type']) faults.push(`event ${place}: its name is not its type`);
    faults.push(...checkResponseStreamEvent(event).map((fault) => `event ${place}: ${fault}`));
    // An error added to a relayed stream has no sequence number of that stream; clients stop there anyway.
    if (event?.['sequence_number'] !== place && event?.['type'] !== 'error')
      faults.push(`event ${place}: its sequence_number is not ${place}`);
  }
  if (faults.length > 0) return faults;
  return checkOrder(
    parsed.map((event) => event as unknown as ResponseStreamEvent),
    ending,
  );
}

function checkOrder(events: readonly ResponseStreamEvent[], ending: StreamExpectation['ending']): string[] {
  const faults: string[] = [];
  const types = events.map(({ type }) => type);
  if (!isDeepStrictEqual(types.slice(0, 2), OPENING))
    faults.push('the order: must open with created, in_progress');
  const ends = [...ENDS.whole, ...ENDS.error];
  const first = types.findIndex((type) => ends.includes(type));
  if (first === -1 || types.slice(first).some((type) => !ENDS[ending].includes(type)))
    return [...faults, `the stream: must end with ${ENDS[ending].join(' or ')}`];
  if (ending === 'whole' && first !== types.length - 1) faults.push('the stream: ends twice');
  const responses = events.flatMap((event) => ('response' in event ? [event.response] : []));
  if (new Set(responses.map(({ id }) => id)).size > 1) faults.push('response.id: changes');
  const walk = new ResponseItemWalk();
  for (const event of events) if (isItemEvent(event)) walk.take(event);
  faults.push(...walk.faults);
  const last = responses.at(-1);
  if (ending === 'error' || last === undefined) return faults;
  return [...faults, ...walk.checkEnd(), ...checkEnd(last, types.at(-1) ?? '', walk.done)];
}

function isItemEvent(event: ResponseStreamEvent): event is ItemEvent {
  return 'output_index' in event;
}

function checkEnd(last: Response, type: string, done: readonly ResponseOutputItem[]): string[] {
  const faults = checkResponseRules(last);
  if (type !== `response.${last.status}`) faults.push(`status: ${last.status} ends with ${type}`);
  if (!isDeepStrictEqual(last.output, done)) faults.push('output: is not what the items of the stream were');
  return faults;
}
