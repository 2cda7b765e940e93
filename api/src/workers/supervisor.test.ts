import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openListeningSockets, type BoundSocket } from './listening-sockets.ts';
import { Supervisor } from './supervisor.ts';

/** A worker that only notes its process id and obeys. */
const WORKER = `
import { writeFileSync } from 'node:fs';
process.on('message', ({ type }) => (type === 'drain' || type === 'leave') && process.exit(0));
writeFileSync(process.env.FOLDER + '/' + process.pid + '.pid', '');
setTimeout(() => process.send({ type: 'ready' }), Number(process.env.READY_AFTER_MS ?? 0));
`;
const WITHIN = { timeout: 30_000 };

let folder: string;
let sockets: BoundSocket[];
let lines: { msg: string; err?: { message: string } }[];
let env: NodeJS.ProcessEnv;
let supervisor: Supervisor;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'supervisor-'));
  writeFileSync(path.join(folder, 'worker.mjs'), WORKER);
  ({ sockets } = await openListeningSockets('127.0.0.1', 0, 2));
  lines = [];
  env = { FOLDER: folder };
  supervisor = new Supervisor({
    spec: { file: path.join(folder, 'worker.mjs'), env },
    sockets,
    log: pino({}, { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) }),
    readyWithinMs: 60_000,
    leaveWithinMs: 60_000,
  });
});
afterEach(async () => {
  await supervisor.stop();
  for (const socket of sockets) socket.close();
  rmSync(folder, { recursive: true });
});

/** Process ids of all workers that ever ran. */
const pids = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.pid'))
    .map((name) => Number.parseInt(name, 10));
const messages = () => lines.map(({ msg }) => msg);
/** Node creates no process with such a variable, as the system creates none without memory for it. */
const refuseProcesses = () => (env['BROKEN'] = '\0');
const allowProcesses = () => delete env['BROKEN'];

async function start(): Promise<void> {
  expect(await supervisor.start()).toBe(true);
  await expect.poll(() => pids().length, WITHIN).toBe(2);
}

it('says that it replaces its workers, and then that it has', async () => {
  await start();
  await Promise.all([supervisor.roll(), supervisor.roll()]);
  expect(messages()).toEqual([
    'replacing the workers one after another',
    'the workers are being replaced: they are replaced once more after that',
    'all workers were replaced',
    'all workers were replaced',
  ]);
  expect(pids()).toHaveLength(6);
});

it('replaces its workers when the first one is ready, if it is asked to before', async () => {
  env['READY_AFTER_MS'] = '3000';
  const started = supervisor.start();
  delete env['READY_AFTER_MS'];
  const replaced = supervisor.roll();
  expect(await started).toBe(true);
  await replaced;
  expect(messages().at(-1)).toBe('all workers were replaced');
  expect(pids()).toHaveLength(4);
});

it('keeps its workers if no process can be created to replace them, and can replace them later', async () => {
  await start();
  refuseProcesses();
  await supervisor.roll();
  expect(lines.at(-1)).toMatchObject({
    msg: 'a new worker could not be started: the present ones stay',
    err: { message: expect.stringContaining('null bytes') },
  });
  allowProcesses();
  await supervisor.roll();
  expect(messages().at(-1)).toBe('all workers were replaced');
  expect(pids()).toHaveLength(4);
});

it('tries until a process for a worker that ended can be created', async () => {
  await start();
  refuseProcesses();
  for (const pid of pids().slice(0, 1)) process.kill(pid, 'SIGKILL');
  const failures = () =>
    messages().filter((msg) => msg === 'a worker could not be started: it is tried again');
  await expect.poll(() => failures().length, WITHIN).toBeGreaterThan(1);
  allowProcesses();
  await expect.poll(messages, WITHIN).toContain('the worker is ready again');
  expect(pids()).toHaveLength(3);
});
