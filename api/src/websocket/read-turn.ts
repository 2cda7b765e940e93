import type { Buffer } from 'node:buffer';
import { deny, type GatewayError, type Result } from '@tollgate/core/errors/errors';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import { parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { scanBody } from '@tollgate/dialects/json/scan-body';

/** `response.create`: https://developers.openai.com/api/docs/guides/websocket-mode */
export interface TurnHead {
  /** False: the client only sends the start of a conversation. */
  generates: boolean;
  /** The response that it continues; null: none. */
  previousId: string | null;
  /** Where `input` is in the body; null: it is missing. */
  input: { start: number; end: number } | null;
  /** True: nothing of the conversation is kept elsewhere. */
  isWhole: boolean;
}

export interface ReadTurn {
  /** The body that the same request has over HTTP, without `previous_response_id`; the message itself if it is refused. */
  body: Buffer;
  /** null: the stream without a name. */
  streamId: string | null;
  /** null: the message needs no response. */
  head: Result<TurnHead> | null;
}

/** Members of the message that the body does not have, and the reference to what the connection remembers. */
const OWN_MEMBERS = ['type', 'stream_id', 'generate', 'previous_response_id'];
/** Codex reports with `response.processed` that it has processed a response. It needs no answer, and is not counted. */
const MAX_REPORT_BYTES = 1024;
const STREAM_ID = /^[A-Za-z0-9_.-]{1,256}$/;

/** Reads a message of a client. A message with two meanings is refused here: it would be edited otherwise. */
export function readTurn(message: Buffer): ReadTurn {
  const refused = (error: GatewayError): ReadTurn => ({
    body: message,
    streamId: null,
    head: { ok: false, error },
  });
  const ambiguous = scanBody(message);
  if (ambiguous !== null) return refused(ambiguous);
  const event = parseJsonObject(message.toString('utf8'));
  if (event === null) return refused(deny('invalid_json', 'The message must be a JSON object.').error);
  const { type } = event;
  if (type === 'response.processed' && message.length <= MAX_REPORT_BYTES)
    return { body: message, streamId: null, head: null };
  const streamId = event['stream_id'] ?? null;
  if (streamId !== null && (typeof streamId !== 'string' || !STREAM_ID.test(streamId)))
    return refused(INVALID_STREAM_ID);
  const error = findError(event);
  if (error !== null) return { ...refused(error), streamId };
  return { streamId, ...readHead(message, event) };
}

/** @param event without an error */
function readHead(message: Buffer, event: JsonObject): Pick<ReadTurn, 'body' | 'head'> {
  const generates = event['generate'] !== false;
  const previousId = event['previous_response_id'] ?? null;
  const body = new JsonObjectBytes(message).edit({
    drops: OWN_MEMBERS,
    changes: { stream: String(generates) },
  });
  const value = {
    generates,
    previousId: typeof previousId === 'string' ? previousId : null,
    input: new JsonObjectBytes(body).findPlace('input'),
    isWhole: (event['conversation'] ?? null) === null,
  };
  return { body, head: { ok: true, value } };
}

const INVALID_STREAM_ID: GatewayError = {
  code: 'invalid_request',
  providerCode: 'invalid_stream_id',
  message: 'stream_id must have 1 to 256 letters, digits, hyphens, underscores and dots.',
  param: 'stream_id',
};

function findError(event: JsonObject): GatewayError | null {
  const { type, generate = null, background = null } = event;
  const invalid = (param: string, message: string): GatewayError => ({
    code: 'invalid_request',
    message,
    param,
  });
  if (type !== 'response.create') {
    const name =
      typeof type === 'string' ? `The event type ${type.slice(0, 100)} is` : 'Events without a type are';
    return invalid('type', `${name} not supported. Send an event with the type response.create.`);
  }
  if (generate !== null && typeof generate !== 'boolean')
    return invalid('generate', 'generate must be true or false.');
  if (background !== null && background !== false)
    return {
      code: 'unsupported_parameter',
      message: 'background is not supported over WebSocket. Send the request over HTTP.',
      param: 'background',
    };
  const previousId = event['previous_response_id'] ?? null;
  return previousId === null || typeof previousId === 'string'
    ? null
    : invalid('previous_response_id', 'previous_response_id must be a string.');
}
