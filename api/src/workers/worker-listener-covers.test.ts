import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WorkerListener } from './worker-listener.ts';

let server: Server;
let listener: WorkerListener;
let closed: number;

/** A socket of another worker. */
const handle = { close: () => (closed += 1) };

beforeEach(() => {
  closed = 0;
  server = createServer();
  listener = new WorkerListener(server);
});
afterEach(() => server.close());

it('closes the socket of another worker that comes when it accepts nothing any more', () => {
  listener.stopAccepting();
  listener.cover(1, handle);
  expect(closed).toBe(1);
});
