import { sendError } from '../errors/send-error.ts';
import type { Exchange } from '../exchange.ts';

/**
 * Refuses the WebSocket mode of the Responses API with 426, where it is disabled or the runtime has none: Codex then uses HTTP
 * immediately, and repeats other errors for seconds (https://developers.openai.com/api/docs/guides/websocket-mode).
 * @returns null if the request asks for no WebSocket
 */
export function refuseWebSocket(exchange: Exchange): Exchange['response'] | null {
  if (exchange.header('upgrade')?.toLowerCase() !== 'websocket') return null;
  sendWebSocketRefusal(
    exchange,
    'This installation of Tollgate serves the Responses API over HTTP, not over WebSocket.',
  );
  return exchange.response;
}

/** @param reason a sentence */
export function sendWebSocketRefusal(exchange: Exchange, reason: string): void {
  // https://www.rfc-editor.org/rfc/rfc9110#section-15.5.22 requires the protocol to use instead.
  exchange.setHeader('upgrade', 'HTTP/1.1');
  const message = `${reason} Send POST /v1/responses with "stream": true.`;
  sendError(exchange, 'openai-responses', { code: 'websocket_not_supported', message });
}
