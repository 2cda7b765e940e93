import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '../env.ts';

const MAIN = path.join(import.meta.dirname, '../start/main.ts');

export interface StartedInstallation {
  child: ChildProcess;
  exited: Promise<number | null>;
  /** What it wrote to stdout so far. */
  said: () => string;
  /** What it wrote to stderr so far. */
  warned: () => string;
  /** Settles at its end. */
  stderr: Promise<string>;
  /** Waits for the end of the greeting, or of the process. */
  greeted: () => Promise<void>;
}

/** Runs what `npm start` runs. @param variables DATA_DIR and the ports */
export function startInstallation(variables: Record<string, string>): StartedInstallation {
  const child = spawn(process.execPath, [MAIN], {
    env: childEnvironment({ DATABASE_URL: '', ...variables }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let [said, warned] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (warned += chunk));
  return {
    child,
    exited,
    said: () => said,
    warned: () => warned,
    stderr: text(child.stderr),
    async greeted() {
      while (!said.includes('Ctrl-C stops all of it') && child.exitCode === null) await sleep(50);
    },
  };
}

export function isUp(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/healthz`).then(
    (response) => response.ok,
    () => false,
  );
}
