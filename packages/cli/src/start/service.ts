import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '../env.ts';
import { Failure } from '../failure.ts';

const POLL_MS = 40;
const READY_WITHIN_MS = 120_000;
/** Modules loaded before the service's own code. */
const PRELOADS = ['@tollgate/db/quick-imports', new URL('follow-parent.ts', import.meta.url).href].flatMap(
  (module) => ['--import', import.meta.resolve(module)],
);

export interface ServiceSpec {
  name: string;
  /** Arguments for Node: flags, then the file. */
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Responds with 2xx once the service is ready. */
  healthUrl: string;
  onLine: (line: string) => void;
}

export interface Service {
  name: string;
  /** Settles with the cause of the exit, after `onLine` received all output. */
  exited: Promise<string>;
  isRunning(): boolean;
  /** @throws Failure if it exits before it is ready */
  ready(): Promise<void>;
  /** Asks it to drain and exit. */
  stop(): void;
  /** Kills it and all its child processes immediately. */
  kill(): void;
}

/**
 * Starts a service in a separate process group: the terminal's Ctrl-C reaches only the parent process,
 * which controls the shutdown order.
 */
export function startService(spec: ServiceSpec): Service {
  const child = spawn(process.execPath, [...PRELOADS, ...spec.args], {
    cwd: spec.cwd,
    env: childEnvironment(spec.env),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
  });
  for (const stream of [child.stdout, child.stderr]) readLines(stream, spec.onLine);
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    // "close" instead of "exit": all output has been read.
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  const isRunning = () => child.exitCode === null && child.signalCode === null && child.pid !== undefined;
  return {
    name: spec.name,
    exited,
    isRunning,
    ready: () => waitUntilHealthy(spec, isRunning),
    stop: () => void child.kill('SIGTERM'),
    kill: () => killGroup(child),
  };
}

async function waitUntilHealthy(spec: ServiceSpec, isRunning: () => boolean): Promise<void> {
  const startedMs = Date.now();
  while (!(await isHealthy(spec.healthUrl))) {
    if (!isRunning()) throw new Failure('service_ended', `The ${spec.name} did not start`);
    if (Date.now() - startedMs > READY_WITHIN_MS)
      throw new Failure(
        'service_not_ready',
        `The ${spec.name} did not become ready at ${spec.healthUrl}. See its log.`,
      );
    await sleep(POLL_MS);
  }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(2_000),
      headers: { connection: 'close' },
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

function readLines(stream: Readable | null, onLine: (line: string) => void): void {
  if (stream !== null) createInterface({ input: stream }).on('line', onLine);
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // It has already exited.
  }
}
