import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '../env.ts';

const MAIN = path.join(import.meta.dirname, '../start/main.ts');

export interface StartedInstallation {
  child: ChildProcess;
  exited: Promise<number | null>;
  /** Its stdout so far. */
  said: () => string;
  /** Its stderr so far. */
  warned: () => string;
  /** Settles with all of stderr when it closes. */
  stderr: Promise<string>;
  /** Waits for the whole greeting, or for the process to exit. */
  greeted: () => Promise<void>;
}

/** Runs the process of `npm start`. @param variables DATA_DIR and the ports */
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
      while (!said.includes('Press Ctrl-C to stop') && child.exitCode === null) await sleep(50);
    },
  };
}

export function isUp(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/healthz`).then(
    (response) => response.ok,
    () => false,
  );
}
