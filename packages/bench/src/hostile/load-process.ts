import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Tools } from '../host/tools.ts';

const LAST = 19;

/** A process of the load. */
interface LoadProcess extends AsyncDisposable {
  /** The first message that it sends. */
  firstMessage: () => Promise<unknown>;
  /** Rejects if it ends before it is disposed. */
  failed: Promise<never>;
}

/** Starts a script that comes last on the core that it shares with the client whose times are taken. */
export function startWithLowPriority(tools: Tools, script: string, args: string[]): LoadProcess {
  return startScript(tools, script, { args, nice: LAST });
}

/** Starts a script of this folder. It is killed when it is disposed. */
export function startScript(
  { chrt }: Tools,
  script: string,
  { args, nice = 0 }: { args: string[]; nice?: number },
): LoadProcess {
  const file = fileURLToPath(new URL(script, import.meta.url));
  // `chrt` resets the scheduling policy, because a child inherits that of the client (`goFirst`).
  const command = ['--other', '0', 'nice', '-n', String(nice), process.execPath, file, ...args];
  const child = spawn(chrt, command, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const failed = ended.then(() => Promise.reject(new Error(`${script} has ended`)));
  failed.catch(() => undefined); // It also rejects when the process is disposed.
  return {
    failed,
    async firstMessage() {
      const [message] = await Promise.race([once(child, 'message') as Promise<unknown[]>, failed]);
      return message;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
