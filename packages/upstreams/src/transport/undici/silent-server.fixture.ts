import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/** More than the server's queue of connections holds. */
const FILLERS = 4;
const CODE = `
const { createServer } = require('node:net');
const { parentPort } = require('node:worker_threads');
const server = createServer();
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort.postMessage(server.address().port);
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
});`;

export interface SilentServer extends AsyncDisposable {
  /** `127.0.0.1:<port>` */
  authority: string;
}

/** An address whose packets are dropped: nothing accepts the connections, and the queue for them is full. */
export async function startSilentServer(): Promise<SilentServer> {
  const worker = new Worker(CODE, { eval: true });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  const fillers: Socket[] = [];
  for (let index = 0; index < FILLERS; index += 1) {
    const filler = connect(port, '127.0.0.1');
    filler.on('error', () => undefined);
    fillers.push(filler);
  }
  await new Promise((resolve) => fillers[0]?.once('connect', resolve));
  return {
    authority: `127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const filler of fillers) filler.destroy();
      await worker.terminate();
    },
  };
}
