import { request as requestPlain, type RequestOptions } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { parseOrigin } from '../http1/origin.ts';

export interface TunnelOptions {
  proxy: URL;
  /** `api.openai.com:443` */
  target: string;
  /** null: no credential. */
  authorization: string | null;
  secureContext: SecureContext;
  onOpen: (socket: Socket) => void;
  /** Called at most once, and not after `onOpen`. The detail never contains the proxy's credential. */
  onFail: (detail: string) => void;
}

/**
 * Opens a tunnel through a forward proxy (https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6).
 * @returns ends the attempt
 */
export function openTunnel(options: TunnelOptions): () => void {
  const { proxy, target, authorization, secureContext, onOpen, onFail } = options;
  const { isSecure, host, port, serverName } = parseOrigin(proxy.origin);
  const settings: RequestOptions = {
    method: 'CONNECT',
    host,
    port,
    path: target,
    agent: false,
    headers: { host: target, ...(authorization !== null && { 'proxy-authorization': authorization }) },
  };
  // https://nodejs.org/api/https.html passes TLS options on, the types lack this one.
  const secured: RequestOptions & { secureContext: SecureContext } = {
    ...settings,
    secureContext,
    ...(serverName !== null && { servername: serverName }),
  };
  const request = isSecure ? requestSecure(secured) : requestPlain(settings);
  request.once('connect', ({ statusCode = 0 }, socket: Socket, early) => {
    if (statusCode >= 200 && statusCode < 300 && early.length === 0) {
      onOpen(socket);
      return;
    }
    socket.on('error', () => undefined);
    socket.destroy();
    onFail(
      early.length > 0 && statusCode < 300
        ? 'the proxy sent bytes before the request'
        : `the proxy answered ${statusCode}`,
    );
  });
  request.once('response', ({ statusCode = 0 }) => {
    request.destroy();
    onFail(`the proxy answered ${statusCode}`);
  });
  request.on('error', (error) => onFail(`the proxy cannot be used: ${describe(error)}`));
  request.end();
  return () => void request.destroy();
}

function describe(error: Error): string {
  if (error instanceof AggregateError)
    return error.errors.map((each) => (each instanceof Error ? each.message : String(each))).join('; ');
  return 'code' in error && typeof error.code === 'string'
    ? `${error.code}: ${error.message}`
    : error.message;
}
