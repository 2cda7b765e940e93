import { Buffer } from 'node:buffer';
import { ERROR_TABLE, type ErrorCode } from '@tollgate/core/errors/errors';
import { STORED_LIMITS } from '@tollgate/core/requests/stored-responses';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import { asObject, parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';

/** Events write their type first. Searching all of a large one would take long. */
const WHOLE_SEARCH_BYTES = 64 * 1024;
const HEAD_BYTES = 1024;
/** A larger event is passed on unread. */
const MAX_READ_BYTES = STORED_LIMITS.maxResponseBytes;

/** True if the event may be of a type. */
function mayBe(data: string, type: RegExp): boolean {
  if (data.length > MAX_READ_BYTES) return false;
  return type.test(data.length > WHOLE_SEARCH_BYTES ? data.slice(0, HEAD_BYTES) : data);
}

/** The error of a provider whose code is unknown here. */
const UNKNOWN_ERROR = ERROR_TABLE.upstream_error;

/** Adds the stream's name to an event. @param data a JSON object, as one character for each byte */
export function withStream(data: string, streamId: string | null): string {
  if (streamId === null) return data;
  return data.replace('{', () => `{"stream_id":${JSON.stringify(streamId)},`);
}

/**
 * The error event of a refused request: its HTTP response in one message.
 * @param body of the response
 * @param headers that say when to retry, and which limits apply
 */
export function encodeRefusal(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>>,
): string {
  const error = asObject(parseJsonObject(body)?.['error']) ?? { message: body };
  return encode({ type: 'error', status, error, headers });
}

const ERROR_TYPE = /"type"\s*:\s*"error"/;

/**
 * The error event of a stream. Over HTTP its members are at the top level; clients of WebSockets read `error` and `status`.
 * @returns null for another event
 */
export function toErrorEvent(data: string): string | null {
  if (!mayBe(data, ERROR_TYPE)) return null;
  const event = parseJsonObject(Buffer.from(data, 'latin1').toString('utf8'));
  if (event === null || event['type'] !== 'error') return null;
  const given = asObject(event['error']) ?? event;
  const code = given['code'] ?? null;
  const known = isErrorCode(code) ? ERROR_TABLE[code] : UNKNOWN_ERROR;
  const { message = '', param = null } = given;
  const error = { type: known.openaiType, code, message, param };
  return encode({ type: 'error', status: known.status, error });
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERROR_TABLE, code);
}

/** Finds events that may contain a response. Quotes inside of JSON strings are escaped, so text of the model cannot match. */
const RESPONSE_EVENT = /"type"\s*:\s*"response\.(?:created|queued|in_progress|completed|failed|incomplete)"/;
const ENDS: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete']);

/** An event that contains the response. */
export interface ResponseEvent {
  data: Buffer;
  response: JsonObject;
  /** True: the response is complete, and can be continued. */
  isEnd: boolean;
}

/** @returns null for another event */
export function readResponseEvent(data: string): ResponseEvent | null {
  if (!mayBe(data, RESPONSE_EVENT)) return null;
  const bytes = Buffer.from(data, 'latin1');
  const event = parseJsonObject(bytes.toString('utf8'));
  const response = asObject(event?.['response']);
  return response && { data: bytes, response, isEnd: ENDS.has(event?.['type']) };
}

/** Names the response that was continued, which the provider does not know. */
export function withPrevious({ data }: ResponseEvent, previousId: string): string {
  const place = new JsonObjectBytes(data).findPlace('response');
  if (place === null) return data.toString('latin1');
  const response = new JsonObjectBytes(data.subarray(place.start, place.end)).edit({
    drops: [],
    changes: { previous_response_id: JSON.stringify(previousId) },
  });
  return [data.subarray(0, place.start), response, data.subarray(place.end)]
    .map((bytes) => bytes.toString('latin1'))
    .join('');
}

/** True for a large event that is sent as it is. @param data a JSON object */
export function isPassedOn(data: Buffer): boolean {
  if (data.length <= WHOLE_SEARCH_BYTES) return false;
  const head = data.toString('latin1', 0, HEAD_BYTES);
  return data.length > MAX_READ_BYTES || !(ERROR_TYPE.test(head) || RESPONSE_EVENT.test(head));
}

/** The same as `withStream`, for the bytes of a large event. */
export function bytesWithStream(data: Buffer, streamId: string | null): Buffer {
  if (streamId === null) return data;
  const at = data.indexOf('{') + 1;
  return Buffer.concat([Buffer.from(`{"stream_id":${JSON.stringify(streamId)},`), data.subarray(at)]);
}

/** The events of a response that is whole from the start. */
export function encodeWhole(response: JsonObject): string[] {
  return [
    encode({
      type: 'response.created',
      sequence_number: 0,
      response: { ...response, status: 'in_progress', output: [] },
    }),
    encode({ type: 'response.completed', sequence_number: 1, response }),
  ];
}

/** As one character for each byte. */
function encode(event: object): string {
  return Buffer.from(JSON.stringify(event)).toString('latin1');
}
