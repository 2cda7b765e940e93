/**
 * A reference and no product: the least that a proxy can do on Node, node:http in front and undici's `dispatch`
 * behind it, without keys, limits, records or error handling. Arguments: port, origin of the upstream.
 */
import { createServer, type ServerResponse } from 'node:http';
import { Agent, type Dispatcher } from 'undici';

const [port, origin = ''] = process.argv.slice(2);
const agent = new Agent({ pipelining: 1 });

const server = createServer({ noDelay: true }, (request, response) => {
  if (request.method === 'GET') {
    response.end('ready');
    return;
  }
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const headers = ['content-type', 'application/json', 'authorization', 'Bearer upstream-credential'];
    const path = request.url ?? '/';
    agent.dispatch({ origin, path, method: 'POST', headers, body: Buffer.concat(pieces) }, relayTo(response));
  });
});

function relayTo(response: ServerResponse): Dispatcher.DispatchHandler {
  return {
    onRequestStart: () => undefined,
    onResponseStart(_controller, status, headers) {
      const { 'content-type': type, 'content-length': length } = headers;
      response.statusCode = status;
      if (type !== undefined) response.setHeader('content-type', type);
      if (length !== undefined) response.setHeader('content-length', length);
    },
    onResponseData(_controller, piece) {
      response.write(piece);
    },
    onResponseEnd() {
      response.end();
    },
    onResponseError() {
      response.destroy();
    },
  };
}

server.listen({ host: '127.0.0.1', port: Number(port), backlog: 4096 });
