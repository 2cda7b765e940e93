import { createServer } from 'node:http';
import { ANSWER_BODY } from '../subjects/completion.ts';

export interface DelayedUpstream extends AsyncDisposable {
  port: number;
}

/** A provider that thinks for a fixed time about every answer. */
export async function startDelayedUpstream(delayMs: number): Promise<DelayedUpstream> {
  const head = { 'content-type': 'application/json', 'content-length': String(ANSWER_BODY.length) };
  const server = createServer({ noDelay: true, keepAliveTimeout: 0 }, (request, response) => {
    request.resume();
    request.once('end', () =>
      setTimeout(() => {
        response.writeHead(200, head);
        response.end(ANSWER_BODY);
      }, delayMs),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The upstream listens on no port');
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
