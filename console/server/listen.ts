import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { AppEnv } from './http/app-env.ts';
import { findText } from './error-fields.ts';

/** A request must be complete by then, even from a slow client. */
const REQUEST_TIMEOUT_MS = 30_000;
const DRAIN_LIMIT_MS = 10_000;

/** @throws Error with one line that says which setting to change */
export function listen(app: Hono<AppEnv>, at: { host: string; port: number }): Promise<Server> {
  // Checks of load balancers use HTTP/1.0, often without `Host`. No answer depends on the name.
  const respond = getRequestListener(app.fetch, { hostname: 'localhost' });
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => void respond(request, response),
  );
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new Error(explain(error, at), { cause: error })));
    server.listen(at.port, at.host, () => resolve(server));
  });
}

/** Takes no more connections and ends when the requests in flight have their answers, or after ten seconds. */
export function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(() => server.closeAllConnections(), DRAIN_LIMIT_MS);
    server.close(() => {
      clearTimeout(limit);
      resolve();
    });
    server.closeIdleConnections();
  });
}

function explain(error: Error, { host, port }: { host: string; port: number }): string {
  const code = findText(error, 'code');
  if (code === 'EADDRINUSE') return `Port ${port} is taken on ${host}: set CONSOLE_PORT to another port`;
  if (code === 'EACCES')
    return `Port ${port} requires root permissions: set CONSOLE_PORT to a port above 1023`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no address ${host}. Set CONSOLE_HOST to an address of this machine`;
  return `The console cannot listen on ${host}:${port}: ${error.message}`;
}
