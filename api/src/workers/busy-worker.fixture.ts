/**
 * A worker whose event loop is blocked until a file exists, and that counts the connections of each turn after that.
 * Arguments: number of file descriptors of its socket, path of the file.
 */
import { existsSync } from 'node:fs';
import { Server } from 'node:http';
import { WorkerListener } from './worker-listener.ts';

const [fds, releaseFile = ''] = process.argv.slice(2);
const server = new Server();
const listener = new WorkerListener(server);
const turns: number[] = [];
let inTurn = 0;
let isCounting = false;

server.on('connection', () => (inTurn += 1));

/** Counts until no connection has come for a hundred turns. */
function countTurn(emptyTurns: number): void {
  if (inTurn > 0) turns.push(inTurn);
  const empty = inTurn > 0 ? 0 : emptyTurns + 1;
  inTurn = 0;
  if (empty < 100) setImmediate(() => countTurn(empty));
  else process.send?.(turns);
}

process.on('message', (message) => {
  switch (message) {
    case 'block':
      return process.send?.('blocked', () => {
        while (!existsSync(releaseFile));
        if (!isCounting) setImmediate(() => countTurn(0));
        isCounting = true;
      });
    case 'stop':
      listener.close(() => process.send?.('closed'));
      return void listener.countConnections().then((count) => process.send?.(count));
    case 'count':
      return void listener.countConnections().then((count) => process.send?.(count));
  }
});

await listener.listen(Number(fds));
process.send?.('ready');
