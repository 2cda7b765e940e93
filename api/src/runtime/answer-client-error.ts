import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRetryAfterMs } from '@tollgate/core/errors/errors';
import { getErrorFormat } from '../errors/render-error.ts';
import { getRetryHeaders } from '../errors/retry-headers.ts';
import { closeLingering } from './close-lingering.ts';

/**
 * Answers invalid HTTP: no dialect is known yet, so the error has OpenAI's format. Responses of requests that arrived before are
 * sent first.
 */
export function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const response = findResponse(socket);
  if (response !== null) {
    response.once('close', () => answerClientError(error, socket));
    return;
  }
  const { status, code, message } = getClientError(error.code);
  const body = getErrorFormat('openai-chat').body({ code, message }, '');
  const retry = Object.entries(getRetryHeaders(getRetryAfterMs({ code })));
  socket.write(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\n` +
      retry.map(([name, value]) => `${name}: ${value}\r\n`).join('') +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  if (socket instanceof Socket) closeLingering(socket);
  else socket.end();
}

/** @returns the response that the connection sends now or next; null: none, or that of the invalid request */
function findResponse(socket: Duplex): ServerResponse | null {
  // Node keeps it there, and reads it for its own answer to invalid HTTP.
  const response = (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? null;
  return response !== null && (response.headersSent || response.req.complete) ? response : null;
}

function getClientError(code: string | undefined) {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: '431 Request Header Fields Too Large',
        code: 'request_too_large',
        message: 'The request headers are larger than 16 KiB.',
      } as const;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        status: '408 Request Timeout',
        code: 'request_timeout',
        message: 'The request took too long to arrive.',
      } as const;
    default:
      return {
        status: '400 Bad Request',
        code: 'invalid_request',
        message: 'The request is not valid HTTP.',
      } as const;
  }
}
