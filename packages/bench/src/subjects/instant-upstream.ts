import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('instant-upstream-process.ts', import.meta.url));

export interface InstantUpstream extends AsyncDisposable {
  /** Answers whole completions. */
  json: string;
  /** Answers streams of 60 chunks, which it sends at once. */
  sse: string;
}

/** Starts the provider that reads each request to its end and answers at once, in a separate process on the core of the load. */
export async function startInstantUpstream(): Promise<InstantUpstream> {
  const child = fork(SCRIPT, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const failed = ended.then(() => Promise.reject(new Error('The instant upstream has ended')));
  failed.catch(() => undefined); // It also rejects when it is disposed.
  const [port] = await Promise.race([once(child, 'message') as Promise<unknown[]>, failed]);
  const origin = `http://127.0.0.1:${String(port)}`;
  return {
    json: `${origin}/v1`,
    sse: `${origin}/sse/v1`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
