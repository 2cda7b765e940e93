import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openListeningSockets, type BoundSocket } from './listening-sockets.ts';

const PROGRAM = path.join(import.meta.dirname, 'busy-worker.fixture.ts');
const CLIENTS = 24;

let socket: BoundSocket;
let port: number;
let folder: string;
let releaseFile: string;
let worker: ChildProcess;
const clients: Socket[] = [];

beforeEach(async () => {
  const opened = await openListeningSockets('127.0.0.1', 0, 1);
  port = opened.port;
  const [first] = opened.sockets;
  if (first === undefined) throw new Error('There is no socket');
  socket = first;
  folder = mkdtempSync(path.join(tmpdir(), 'worker-listener-'));
  releaseFile = path.join(folder, 'release');
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  const exited = once(worker, 'exit');
  worker.kill('SIGKILL');
  await exited;
  socket.close();
  rmSync(folder, { recursive: true });
});

async function start(fds: number): Promise<void> {
  worker = spawn(process.execPath, [...process.execArgv, PROGRAM, String(fds), releaseFile], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', ...Array<number>(fds).fill(socket.fd)],
  });
  expect(await once(worker, 'message')).toEqual(['ready', undefined]);
}

/** Opens connections while the event loop of the worker is blocked. @returns how many it accepts in each turn after that */
async function openWhileBlocked(): Promise<number[]> {
  worker.send('block');
  expect(await once(worker, 'message')).toEqual(['blocked', undefined]);
  for (let count = 0; count < CLIENTS; count += 1) clients.push(connect(port, '127.0.0.1'));
  await Promise.all(clients.map((client) => once(client, 'connect')));
  writeFileSync(releaseFile, '');
  const [turns] = (await once(worker, 'message')) as [number[]];
  return turns;
}

it('accepts a connection for each file descriptor of its socket in a turn of the event loop', async () => {
  await start(8);
  const turns = await openWhileBlocked();
  expect(turns.reduce((sum, count) => sum + count, 0)).toBe(CLIENTS);
  expect(Math.max(...turns)).toBe(8);
});

it('accepts one with a supervisor of an earlier release, which has one file descriptor for it', async () => {
  await start(1);
  expect(await openWhileBlocked()).toEqual(Array.from({ length: CLIENTS }, () => 1));
});

it('accepts none once it has stopped, and closes when its last connection has ended', async () => {
  await start(8);
  const turns = await openWhileBlocked();
  expect(turns.length).toBeGreaterThan(0);
  worker.send('stop');
  expect(await once(worker, 'message')).toEqual([CLIENTS, undefined]);
  const late = connect(port, '127.0.0.1');
  await once(late, 'connect');
  worker.send('count');
  expect(await once(worker, 'message')).toEqual([CLIENTS, undefined]);
  for (const client of clients.splice(0)) client.destroy();
  expect(await once(worker, 'message')).toEqual(['closed', undefined]);
  late.destroy();
});
