import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 10_000;
const LOG_LINES_SHOWN = 15;
const ASK_EVERY_MS = 10;

export interface ChildOptions {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  core: number;
  taskset: string;
  /** Where the log goes. */
  dir: string;
  /** Answers with status 200 once the child is ready. */
  readyUrl: string;
  /** How long it may take; two minutes by default. */
  readyTimeoutMs?: number;
  signal: AbortSignal;
}

export interface Child extends AsyncDisposable {
  pid: number;
  /** From the spawn to the first answer with status 200; the interval of the questions is the error. */
  readyMs: number;
}

/**
 * Starts a server on a core and waits until it answers. It is ended when the child is disposed.
 * @throws Error with the end of its log where it does not get ready
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const logFile = path.join(options.dir, `${options.name}.log`);
  const log = openSync(logFile, 'a');
  const spawnedMs = performance.now();
  // taskset replaces itself with the command, so the pid is the command's own.
  const child = spawn(
    options.taskset,
    ['--cpu-list', String(options.core), options.command, ...options.args],
    {
      cwd: options.dir,
      env: options.env,
      stdio: ['ignore', log, log],
    },
  );
  closeSync(log);
  let hasExited = false;
  const exited = new Promise<void>((resolve) => {
    const end = () => {
      hasExited = true;
      resolve();
    };
    child.once('exit', end);
    child.once('error', end);
  });
  const stop = async () => {
    child.kill('SIGTERM');
    const hard = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(hard);
  };
  try {
    await waitUntilReady(options, () => hasExited);
  } catch (error) {
    await stop();
    const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-LOG_LINES_SHOWN);
    throw new Error([`${options.name} did not start`, ...lines].join('\n  '), { cause: error });
  }
  return { pid: child.pid ?? 0, readyMs: performance.now() - spawnedMs, [Symbol.asyncDispose]: stop };
}

async function waitUntilReady(options: ChildOptions, hasExited: () => boolean): Promise<void> {
  const limitMs = options.readyTimeoutMs ?? READY_TIMEOUT_MS;
  const deadline = Date.now() + limitMs;
  while (!hasExited()) {
    options.signal.throwIfAborted();
    try {
      const answer = await fetch(options.readyUrl, { signal: AbortSignal.timeout(2_000) });
      await answer.arrayBuffer();
      if (answer.status === 200) return;
    } catch {
      // Not listening yet.
    }
    if (Date.now() > deadline) throw new Error(`${options.name} was not ready within ${limitMs} ms`);
    await sleep(ASK_EVERY_MS);
  }
  throw new Error(`${options.name} ended while it started`);
}
