import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { decodeHeader, listRecordFiles } from '@tollgate/ledger/record-files';
import { findApiMain } from '@tollgate/testing/api-main';
import { COMPILE_CACHE } from '@tollgate/testing/compile-cache';
import { ENCRYPTION_KEY } from './scene.ts';

const MAINS = { node: findApiMain, web: () => path.resolve(import.meta.dirname, 'web-main.ts') };
const READY_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 50;
const KEPT_OUTPUT = 20_000;

export interface FleetOptions {
  processes: number;
  databaseUrl: string;
  redisUrl: string | null;
  /** `web`: the web-standard runtime; `node` by default. */
  runtime?: keyof typeof MAINS;
}

/** One api process, which keeps its port and its `DATA_DIR` after a kill. */
export interface FleetApi {
  /** Ends with `/v1`. */
  readonly baseUrl: string;
  readonly isRunning: boolean;
  /** The end of its output, and its exit status if it has ended. */
  output(): string;
  /** `GET /readyz`. @returns null if it does not answer */
  readiness(): Promise<{ status: number; body: string } | null>;
  /** Counts the settlements in its journals and its spool. */
  countUnstored(): number;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Starts a process and, like an orchestrator, restarts it until it is ready. */
  start(): Promise<void>;
}

/** Several api processes on one database. */
export interface ApiFleet extends AsyncDisposable {
  apis: readonly FleetApi[];
  /** The running processes. */
  running(): FleetApi[];
}

export async function startFleet({
  processes,
  databaseUrl,
  redisUrl,
  runtime = 'node',
}: FleetOptions): Promise<ApiFleet> {
  const directory = mkdtempSync(path.join(tmpdir(), 'api-fleet-'));
  const apis: FleetProcess[] = [];
  for (let index = 0; index < processes; index++) {
    const dataDir = path.join(directory, String(index));
    mkdirSync(dataDir);
    const port = await findFreePort();
    const environment = {
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      ENCRYPTION_KEY,
      API_HOST: '127.0.0.1',
      API_PORT: String(port),
      LOG_LEVEL: 'warn',
      DRAIN_DELAY_MS: '0',
      DRAIN_TIMEOUT_MS: '5000',
      DISCONNECT_DRAIN_MS: '300',
      ...(redisUrl !== null && { REDIS_URL: redisUrl }),
    };
    apis.push(new FleetProcess(`http://127.0.0.1:${port}`, MAINS[runtime](), environment));
  }
  await Promise.all(apis.map((api) => api.start()));
  return {
    apis,
    running: () => apis.filter((api) => api.isRunning),
    async [Symbol.asyncDispose]() {
      await Promise.all(apis.map((api) => api.terminate()));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

class FleetProcess implements FleetApi {
  readonly baseUrl: string;
  readonly #origin: string;
  readonly #main: string;
  readonly #environment: Record<string, string>;
  #process: ChildProcess | null = null;
  #output = '';

  constructor(origin: string, main: string, environment: Record<string, string>) {
    this.#main = main;
    this.#origin = origin;
    this.baseUrl = `${origin}/v1`;
    this.#environment = environment;
  }

  get isRunning(): boolean {
    const child = this.#process;
    return child !== null && child.exitCode === null && child.signalCode === null;
  }

  output(): string {
    return this.#output;
  }

  async readiness(): Promise<{ status: number; body: string } | null> {
    try {
      const response = await fetch(`${this.#origin}/readyz`, { signal: AbortSignal.timeout(10_000) });
      return { status: response.status, body: await response.text() };
    } catch {
      return null;
    }
  }

  countUnstored(): number {
    const directory = path.join(this.#environment['DATA_DIR'] ?? '', 'spool');
    const lines = listRecordFiles(directory).flatMap(({ file }) => readLines(file));
    return lines.filter((line) => line !== '' && decodeHeader(line) === null).length;
  }

  async start(): Promise<void> {
    const deadlineMs = performance.now() + READY_WITHIN_MS;
    while ((await this.readiness())?.status !== 200) {
      if (!this.isRunning) this.launch();
      if (performance.now() > deadlineMs)
        throw new Error(`${this.#origin} did not become ready; its output:\n${this.#output}`);
      await sleep(LOOK_EVERY_MS);
    }
  }

  launch(): void {
    const child = spawn(process.execPath, [this.#main], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: this.#environment,
    });
    this.#process = child;
    child.once('exit', (code, signal) => (this.#output += `\nThe process ended with ${code ?? signal}\n`));
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (this.#output = (this.#output + String(text)).slice(-KEPT_OUTPUT)));
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  terminate(): Promise<void> {
    return this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (child === null || !this.isRunning) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}

/** @returns nothing if the process has deleted the file */
function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
