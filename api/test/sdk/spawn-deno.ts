import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);
const SCRIPT = path.resolve(import.meta.dirname, 'deno-api.ts');
/** Nothing is downloaded: packages come from node_modules, with only the permissions that the api needs. */
const FLAGS = [
  '--no-remote',
  '--no-prompt',
  '--node-modules-dir=manual',
  '--allow-net=127.0.0.1',
  '--allow-env',
  '--allow-read',
  '--allow-sys',
];

export interface DenoApi extends AsyncDisposable {
  deno: string;
  /** Ends with `/v1`. */
  baseUrl: string;
  /** The response to `GET /v1/models` when called without a server. */
  directStatus: number;
  directBody: unknown;
  /** Lets it shut down. @returns its exit code */
  stop(): Promise<number | null>;
}

/** Runs the api with the npm package `deno`. @throws Error with Deno's output if it did not start */
export async function spawnDeno(databaseUrl: string, secret: string): Promise<DenoApi> {
  const cache = mkdtempSync(path.join(tmpdir(), 'deno-'));
  // The package's own launcher, so that the test needs no shell and no PATH.
  const launcher = require.resolve('deno/bin.cjs');
  const spool = path.join(cache, 'spool');
  const allowWrite = `--allow-write=${spool}`;
  const args = [launcher, 'run', ...FLAGS, allowWrite, SCRIPT, databaseUrl, secret, spool];
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { DENO_DIR: cache, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' },
  });
  let complaints = '';
  child.stderr.on('data', (text: Buffer) => (complaints += String(text)));
  const exited = once(child, 'exit');
  const stop = async () => {
    child.stdin.end();
    await exited;
    rmSync(cache, { recursive: true, force: true });
    return child.exitCode;
  };
  const lines = createInterface(child.stdout);
  const first = await Promise.race([once(lines, 'line'), exited.then(() => null)]);
  if (first === null) {
    await stop();
    throw new Error(`Deno did not start the api:\n${complaints}`);
  }
  const up: Omit<DenoApi, 'stop' | typeof Symbol.asyncDispose> = JSON.parse(String(first[0]));
  return { ...up, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}
