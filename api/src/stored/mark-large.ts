import { Buffer } from 'node:buffer';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { findOutput } from './find-output.ts';
import { markResponse, readResponseEvent, writeResponseEvent, type ResponseMarks } from './response-marks.ts';

export interface Place {
  start: number;
  end: number;
}

/** Where something is in marked bytes. */
export interface MarkedPlaces {
  response: Place;
  /** The value of its `store`. */
  store: Place;
  /** Where the items that its conversation gets are in the response; null: there are none. */
  output: Place | null;
  /** True: the response is complete. */
  isLast: boolean;
}

export interface MarkSource {
  /** True: the bytes are an event of a stream; else they are a response. */
  isEvent: boolean;
  marks: ResponseMarks;
}

/**
 * Writes the marks into a response or an event too large for the event loop.
 * @returns the same bytes and no places if there is no response in them
 */
export function markLarge(
  bytes: Buffer,
  { isEvent, marks }: MarkSource,
): { bytes: Buffer; places: MarkedPlaces | null } {
  return (isEvent ? markEvent(bytes, marks) : markWhole(bytes, marks)) ?? { bytes, places: null };
}

function markWhole(bytes: Buffer, marks: ResponseMarks): { bytes: Buffer; places: MarkedPlaces } | null {
  if (parseJsonObject(bytes.toString('utf8')) === null) return null;
  const marked = markResponse(bytes, marks);
  const response = { start: 0, end: marked.length };
  return {
    bytes: marked,
    places: { response, store: findStore(marked, 0), output: findOutput(marked), isLast: true },
  };
}

function markEvent(bytes: Buffer, marks: ResponseMarks): { bytes: Buffer; places: MarkedPlaces } | null {
  const event = readResponseEvent(bytes.toString('latin1'));
  if (event === null) return null;
  const response = markResponse(event.response, marks);
  const marked = Buffer.from(writeResponseEvent(event, response), 'latin1');
  const start = marked.indexOf(response);
  const place = { start, end: start + response.length };
  return {
    bytes: marked,
    places: {
      response: place,
      store: findStore(response, start),
      output: findOutput(response),
      isLast: event.isLast,
    },
  };
}

function findStore(response: Buffer, offset: number): Place {
  const { start, end } = new JsonObjectBytes(response).findPlace('store') ?? { start: 0, end: 0 };
  return { start: start + offset, end: end + offset };
}

/** The marked bytes if the response was not stored after all. */
export function withoutStoring(bytes: Buffer, { store }: MarkedPlaces): Buffer[] {
  return [bytes.subarray(0, store.start), Buffer.from('false'), bytes.subarray(store.end)];
}
