import { Buffer } from 'node:buffer';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import { asObject, parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { encodeEnvelope } from '@tollgate/dialects/openai-responses/envelope';
import { codeOfResponse } from '@tollgate/dialects/openai-responses/encode-stream-error';

export interface BackgroundRequest {
  id: string;
  requestId: string;
  startedAtMs: number;
  previousResponseId: string | null;
  conversationId: string | null;
  model: string;
  /** Members of its body, for the settings that a response repeats. */
  members: JsonObject;
}

/** A response that has no output yet. */
export type UnfinishedResponse = JsonObject & { id: string };

/** Writes a response that begins to run in the background. */
export function createUnfinished(request: BackgroundRequest): UnfinishedResponse {
  const { id, requestId, startedAtMs, previousResponseId, conversationId, model, members } = request;
  const nowSeconds = Math.floor(startedAtMs / 1000);
  const context = { requestId, model, nowSeconds, requestBody: members };
  return {
    ...encodeEnvelope({ id, createdAt: nowSeconds }, context),
    id,
    background: true,
    previous_response_id: previousResponseId,
    ...(conversationId === null ? {} : { conversation: { id: conversationId } }),
    store: true,
    status: 'queued',
    output: [],
  };
}

export function writeUnfinished(
  response: JsonObject,
  status: 'queued' | 'in_progress' | 'cancelled',
): Buffer {
  return Buffer.from(JSON.stringify({ ...response, status }));
}

/** Writes a response that failed. @param error as `error` of a failed response */
export function writeFailed(response: JsonObject, error: { code: string; message: string }): Buffer {
  return Buffer.from(JSON.stringify({ ...response, status: 'failed', error }));
}

/** Writes a response that failed with an error of the API. @param body the JSON of the error */
export function writeRefused(response: JsonObject, body: Buffer): Buffer {
  const error = asObject(parseJsonObject(body.toString('utf8'))?.['error']) ?? {};
  const { message, type, code } = error;
  return writeFailed(response, {
    code: codeOfResponse(String(type), String(code)),
    message: typeof message === 'string' ? message : 'The response failed.',
  });
}

/** Writes a complete response with the identity that its caller knows. @param bytes a valid JSON object */
export function writeFinished(response: UnfinishedResponse, bytes: Buffer): Buffer {
  const names = ['id', 'created_at', 'background', 'previous_response_id', 'conversation', 'store'];
  const known = names.filter((name) => response[name] !== undefined);
  const changes = Object.fromEntries(known.map((name) => [name, JSON.stringify(response[name])]));
  return new JsonObjectBytes(bytes).edit({ drops: [], changes });
}
