import { Buffer } from 'node:buffer';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import { asObject, parseJsonObject } from '@tollgate/dialects/json/parse-object';

/** What a response says about itself if its account stores responses. */
export interface ResponseMarks {
  /** Issued by the gateway: ids of providers may repeat. */
  id: string;
  previousResponseId: string | null;
  /** The conversation that it is added to; null: none. */
  conversationId: string | null;
  isStored: boolean;
}

/** Writes the marks into a response; everything else keeps its bytes. @param response a valid JSON object */
export function markResponse(response: Buffer, marks: ResponseMarks): Buffer {
  return new JsonObjectBytes(response).edit({
    drops: [],
    changes: {
      id: JSON.stringify(marks.id),
      previous_response_id: JSON.stringify(marks.previousResponseId),
      store: String(marks.isStored),
      ...(marks.conversationId === null
        ? {}
        : { conversation: JSON.stringify({ id: marks.conversationId }) }),
    },
  });
}

const TYPES = ['created', 'queued', 'in_progress', 'completed', 'failed', 'incomplete'].map(
  (end) => `"response.${end}"`,
);
const LAST_EVENTS: ReadonlySet<unknown> = new Set([
  'response.completed',
  'response.failed',
  'response.incomplete',
]);

/** False if an event certainly contains no response. Quotes inside of JSON strings are escaped, so text of the model cannot match. */
export function mayHaveResponse(event: string | Buffer): boolean {
  return TYPES.some((type) => event.includes(type));
}

/** An event that contains the response. */
export interface ResponseEvent {
  /** Before and after its data. */
  before: string;
  after: string;
  data: JsonObjectBytes;
  response: Buffer;
  /** True: the response in it is complete. */
  isLast: boolean;
}

/** @param event bytes as one character each, with the empty line at its end. @returns null for another event */
export function readResponseEvent(event: string): ResponseEvent | null {
  if (!mayHaveResponse(event)) return null;
  const found = /^data:[ ]?(.*)$/m.exec(event);
  if (found === null) return null;
  const [line, text = ''] = found;
  const bytes = Buffer.from(text, 'latin1');
  const parsed = parseJsonObject(bytes.toString('utf8'));
  if (parsed === null || asObject(parsed['response']) === null) return null;
  const data = new JsonObjectBytes(bytes);
  const place = data.findPlace('response');
  if (place === null) return null;
  const start = found.index;
  return {
    before: event.slice(0, start),
    after: event.slice(start + line.length),
    data,
    response: bytes.subarray(place.start, place.end),
    // Its own type: the response repeats what the caller sent, such as `metadata`.
    isLast: LAST_EVENTS.has(parsed['type']),
  };
}

/** @returns the event with another response, as one character for each byte */
export function writeResponseEvent({ before, after, data }: ResponseEvent, response: Buffer): string {
  const edited = data.edit({ drops: [], changes: { response: response.toString('utf8') } });
  return `${before}data: ${edited.toString('latin1')}${after}`;
}
