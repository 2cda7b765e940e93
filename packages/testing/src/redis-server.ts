import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const SERVER = 'redis-server';
const STARTED_WITHIN_MS = 10_000;

/** A separate Redis without persistence. */
export interface TestRedis extends AsyncDisposable {
  url: string;
  port: number;
  /** Kills it, like a crash. */
  kill(): Promise<void>;
  /** Restarts it, empty, at the same address. Resolves when it responds. */
  restart(): Promise<void>;
  /** Suspends it: its connections stay open without responses. */
  freeze(): void;
  thaw(): void;
  /** Sends one command, with words separated by spaces. @returns the first lines of the reply */
  command(line: string): Promise<string>;
}

/** True if `redis-server` is installed. */
export const hasRedisServer: boolean = spawnSync(SERVER, ['--version'], { stdio: 'ignore' }).status === 0;

/** Message of a test run that skips the tests with Redis. */
export const NO_REDIS_MESSAGE = 'Left out, as there is no redis-server on the PATH';

/**
 * Starts a Redis on a free port: `await using redis = await startRedis()`.
 *
 * @param settings further ones, as on its command line: `['--maxmemory', '10mb']`
 */
export async function startRedis(settings: string[] = []): Promise<TestRedis> {
  const port = await freePort();
  let child = await run(port, settings);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  // Also if a run ends without disposing it.
  const killAtOnce = () => void child.kill('SIGKILL');
  process.once('exit', killAtOnce);
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kill,
    async restart() {
      await kill();
      child = await run(port, settings);
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    command: (line) => ask(port, line),
    async [Symbol.asyncDispose]() {
      process.off('exit', killAtOnce);
      await kill();
    },
  };
}

async function run(port: number, settings: string[]): Promise<ChildProcess> {
  const fixed = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn(SERVER, [...fixed, ...settings], { stdio: 'ignore' });
  child.on('error', () => undefined);
  const deadline = Date.now() + STARTED_WITHIN_MS;
  while (!(await answers(port))) {
    if (Date.now() > deadline || child.exitCode !== null) {
      child.kill('SIGKILL');
      throw new Error(`redis-server did not start on port ${port}`);
    }
    await sleep(10);
  }
  return child;
}

async function answers(port: number): Promise<boolean> {
  return (await ask(port, 'PING').catch(() => '')) === '+PONG';
}

async function ask(port: number, line: string): Promise<string> {
  const socket = createConnection(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write(`${line}\r\n`);
    const [answer]: unknown[] = await once(socket, 'data');
    return String(answer).trimEnd();
  } finally {
    socket.destroy();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port was free');
  return address.port;
}
