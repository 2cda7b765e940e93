import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { startUnreachableServers } from '@tollgate/testing/unreachable-servers';
import { createSelfSigned } from '@tollgate/upstreams/transport/http1/self-signed.fixture';
import type { Address } from './fault.ts';

export interface DeadAddresses extends AsyncDisposable {
  origins: Record<Address, string>;
  /** Requests that reached a server whose certificate is invalid. */
  reached(): number;
}

/** A process that listens and then stops, so that the kernel answers nothing once its queue is full. */
const STOPPED_LISTENER = `
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () =>
    process.stdout.write(String(server.address().port), () => process.kill(process.pid, 'SIGSTOP')));
`;
/** Connections that fill its queue; more than it takes. */
const FILLING = 8;

export async function startDeadAddresses(): Promise<DeadAddresses> {
  const servers = await startUnreachableServers(createSelfSigned('localhost'));
  const resetting = await listen((socket) => socket.once('data', () => socket.resetAndDestroy()));
  const silent = await listen(() => undefined);
  const hole = await openBlackHole();
  return {
    origins: {
      ...servers.origins,
      'black-hole': hole.origin,
      'tls-reset': `https://localhost:${getPort(resetting.server)}`,
      'tls-silent': `https://localhost:${getPort(silent.server)}`,
    },
    reached: () => servers.reached(),
    async [Symbol.asyncDispose]() {
      hole.close();
      for (const { server, sockets } of [resetting, silent]) {
        for (const socket of sockets) socket.destroy();
        await new Promise((resolve) => server.close(resolve));
      }
      await servers[Symbol.asyncDispose]();
    },
  };
}

async function listen(take: (socket: Socket) => void): Promise<{ server: Server; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    take(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return { server, sockets };
}

function getPort(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** A port whose connections are never established. */
async function openBlackHole(): Promise<{ origin: string; close(): void }> {
  const child = spawn(process.execPath, ['-e', STOPPED_LISTENER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const filling = Array.from({ length: FILLING }, () => connect(Number(port.toString()), '127.0.0.1'));
  for (const socket of filling) socket.on('error', () => undefined);
  return {
    origin: `http://127.0.0.1:${port.toString()}`,
    close() {
      for (const socket of filling) socket.destroy();
      child.kill('SIGKILL');
    },
  };
}
