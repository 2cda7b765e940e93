import type { Dialect } from '@tollgate/core/models/dialect';
import { ERROR_TABLE, type GatewayError } from '@tollgate/core/errors/errors';
import { messageForAnthropic } from '@tollgate/dialects/error-code';
import { isOverload } from './overload.ts';

/** How a dialect writes an error: as a body, and as an event in a started stream. */
export interface ErrorFormat {
  getStatus(error: GatewayError): number;
  body(error: GatewayError, requestId: string): string;
  event(error: GatewayError, requestId: string): string;
}

const openAiFormat: ErrorFormat = {
  getStatus: (error) => ERROR_TABLE[error.code].status,
  body: ({ code, message, param = null, providerCode = code }) =>
    JSON.stringify({ error: { message, type: ERROR_TABLE[code].openaiType, param, code: providerCode } }),
  event: (error, requestId) => `data: ${openAiFormat.body(error, requestId)}\n\n`,
};

/** Anthropic's status for an overloaded provider. */
const OVERLOADED_STATUS = 529;

const anthropicFormat: ErrorFormat = {
  getStatus: (error) => (isOverload(error) ? OVERLOADED_STATUS : ERROR_TABLE[error.code].status),
  body: ({ code, message: text, details, providerCode = null }, requestId) => {
    const message = messageForAnthropic(providerCode, text);
    const error = { type: ERROR_TABLE[code].anthropicType, message, ...(details && { details }) };
    return JSON.stringify({ type: 'error', error, request_id: requestId });
  },
  event: (error, requestId) => `event: error\ndata: ${anthropicFormat.body(error, requestId)}\n\n`,
};

/** The Responses API writes errors like chat completions, except in streams. */
const responsesEndpoint: ErrorFormat = {
  ...openAiFormat,
  event: ({ code, message, param = null, providerCode = code }) => {
    // The event type requires a number; earlier events were relayed without counting.
    const event = { type: 'error', sequence_number: 0, code: providerCode, message, param };
    return `event: error\ndata: ${JSON.stringify(event)}\n\n`;
  },
};

const ENDPOINTS: Record<Dialect, ErrorFormat> = {
  'openai-chat': openAiFormat,
  'anthropic-messages': anthropicFormat,
  'openai-responses': responsesEndpoint,
};

export function getErrorFormat(dialect: Dialect): ErrorFormat {
  return ENDPOINTS[dialect];
}
