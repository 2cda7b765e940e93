import type { Buffer } from 'node:buffer';
import type { ServedTerms } from '@tollgate/core/money/rates/rate-need';
import { parseJsonObject } from '../json/parse-object.ts';
import { readEventAround } from '../sse/event-around.ts';
import { readServedTerms } from './read-served-terms.ts';

/**
 * Reads the terms that a provider reports in events.
 * @param changes ascending offsets; an event is read once, however many are in it
 * @param known from earlier events; null: none
 */
export function readServedEvents(
  block: Buffer,
  changes: readonly number[],
  known: ServedTerms | null,
): ServedTerms | null {
  let served = known;
  let readEnd = 0;
  for (const at of changes) {
    if (at < readEnd) continue;
    const { end, data } = readEventAround(block, at);
    readEnd = end;
    const event = parseJsonObject(data);
    if (event !== null) served = readServedTerms(event, served);
  }
  return served;
}
