import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { findApiMain } from './api-main.ts';
import { COMPILE_CACHE } from './compile-cache.ts';

const READY_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;

/** The key of all test installations: services that share a database need the same one. */
export const TEST_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');

/** The api in a separate process, as in production. */
export interface ApiProcess extends AsyncDisposable {
  /** Ends with `/v1`. */
  baseUrl: string;
  /** Output so far. */
  output(): string;
  /** Sends SIGTERM, as an orchestrator does, and waits for the exit. @returns its exit code */
  terminate(): Promise<number | null>;
  /** Of the process itself, which supervises the workers if there are any. */
  pid: number;
  /** Process ids of the running workers, in the order in which they started. */
  workers(): number[];
  /** Kills it immediately, like a machine failure. */
  kill(): Promise<void>;
}

/** Starts the api on a free port and waits until it is ready. */
export async function spawnApi(env: {
  databaseUrl: string;
  /** Not used by another running process. */
  dataDir: string;
  drainTimeoutMs?: number;
  /** 0 by default. */
  drainDelayMs?: number;
  /** The api's default without it. */
  disconnectDrainMs?: number;
  /** Without it, limits are kept in memory. */
  redisUrl?: string;
  /** `warn` by default. */
  logLevel?: string;
  /** By default what the suite starts: the build or the sources. */
  main?: string;
  /** API_WORKERS; without it, the api is one process. */
  workers?: number;
}): Promise<ApiProcess> {
  const port = await findFreePort();
  const child = spawn(process.execPath, [env.main ?? findApiMain()], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      DATABASE_URL: env.databaseUrl,
      DATA_DIR: env.dataDir,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      API_HOST: '127.0.0.1',
      API_PORT: String(port),
      LOG_LEVEL: env.logLevel ?? 'warn',
      REDIS_URL: env.redisUrl ?? '',
      API_WORKERS: String(env.workers ?? 1),
      DRAIN_DELAY_MS: String(env.drainDelayMs ?? 0),
      DRAIN_TIMEOUT_MS: String(env.drainTimeoutMs ?? 30_000),
      ...(env.disconnectDrainMs !== undefined && { DISCONNECT_DRAIN_MS: String(env.disconnectDrainMs) }),
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (output += String(text)));
  const exited = once(child, 'exit');

  const terminate = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await exited;
    return child.exitCode;
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  const origin = `http://127.0.0.1:${port}`;
  const deadlineMs = performance.now() + READY_WITHIN_MS;
  while (!(await isReady(origin))) {
    if (child.exitCode !== null || performance.now() > deadlineMs) {
      child.kill('SIGKILL');
      throw new Error(`The api on port ${port} did not get ready; it said:\n${output}`);
    }
    await sleep(LOOK_EVERY_MS);
  }
  const pid = child.pid ?? 0;
  return {
    pid,
    workers: () => listChildren(pid),
    baseUrl: `${origin}/v1`,
    output: () => output,
    terminate,
    kill,
    [Symbol.asyncDispose]: async () => void (await terminate()),
  };
}

/** On Linux. */
function listChildren(pid: number): number[] {
  const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return ids.filter((id) => id !== '').map(Number);
}

async function isReady(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/readyz`)).ok;
  } catch {
    return false;
  }
}
