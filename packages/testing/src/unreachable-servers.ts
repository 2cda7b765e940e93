import { createServer as createPlainServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { DeadEnd } from './provider-fault.ts';

/** Unreachable addresses, each for a different reason. */
export interface DeadEnds extends AsyncDisposable {
  /** `https://localhost:<port>` */
  origins: Record<DeadEnd, string>;
  /** Number of requests that reached a server, which must not happen. */
  reached(): number;
}

/** @param identity a self-signed certificate for `localhost` and its key, as PEM */
export async function startUnreachableServers(identity: { key: string; cert: string }): Promise<DeadEnds> {
  let reached = 0;
  const answer = () => {
    reached += 1;
  };
  const selfSigned = createTlsServer(identity, answer);
  const plain = createPlainServer(answer);
  const closed = createPlainServer();
  const ports = {
    selfSigned: await listen(selfSigned),
    plain: await listen(plain),
    closed: await listen(closed),
  };
  await close(closed);
  return {
    origins: {
      'self-signed': `https://localhost:${ports.selfSigned}`,
      'plain-http': `https://localhost:${ports.plain}`,
      // A reserved domain that cannot be registered: https://www.rfc-editor.org/rfc/rfc2606#section-2
      'unknown-name': 'https://provider.invalid',
      'closed-port': `http://localhost:${ports.closed}`,
    },
    reached: () => reached,
    async [Symbol.asyncDispose]() {
      await close(selfSigned);
      await close(plain);
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return address.port;
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
