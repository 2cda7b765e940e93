import type { Dialect } from '@tollgate/core/models/dialect';
import { ERROR_TABLE, type GatewayError } from '@tollgate/core/errors/errors';

/** How a dialect writes an error: as a body, and as an event in a stream that has begun. */
export interface ErrorFace {
  statusOf(error: GatewayError): number;
  body(error: GatewayError, requestId: string): string;
  event(error: GatewayError, requestId: string): string;
}

const openAiFace: ErrorFace = {
  statusOf: (error) => ERROR_TABLE[error.code].status,
  body: ({ code, message, param }) =>
    JSON.stringify({ error: { message, type: ERROR_TABLE[code].openaiType, param: param ?? null, code } }),
  event: (error, requestId) => `data: ${openAiFace.body(error, requestId)}\n\n`,
};

/** Anthropic's status for a provider that has too much to do. */
const OVERLOADED_STATUS = 529;

const anthropicFace: ErrorFace = {
  statusOf: (error) =>
    error.code === 'upstream_overloaded' ? OVERLOADED_STATUS : ERROR_TABLE[error.code].status,
  body: ({ code, message, details }, requestId) => {
    const error = { type: ERROR_TABLE[code].anthropicType, message, ...(details && { details }) };
    return JSON.stringify({ type: 'error', error, request_id: requestId });
  },
  event: (error, requestId) => `event: error\ndata: ${anthropicFace.body(error, requestId)}\n\n`,
};

/** The Responses API writes errors as chat completions do, but for those in a stream. */
const responsesFace: ErrorFace = {
  ...openAiFace,
  event: ({ code, message, param }) => {
    // The number is part of the event's type, and the events before were relayed uncounted.
    const event = { type: 'error', sequence_number: 0, code, message, param: param ?? null };
    return `event: error\ndata: ${JSON.stringify(event)}\n\n`;
  },
};

const FACES: Record<Dialect, ErrorFace> = {
  'openai-chat': openAiFace,
  'anthropic-messages': anthropicFace,
  'openai-responses': responsesFace,
};

export function errorFaceOf(dialect: Dialect): ErrorFace {
  return FACES[dialect];
}
