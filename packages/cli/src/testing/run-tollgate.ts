import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { COMPILE_CACHE } from '@tollgate/testing/compile-cache';
import { vi } from 'vitest';
import { runCommandLine } from '../run-command-line.ts';

export const MAIN = path.join(import.meta.dirname, '../main.ts');

interface Answer {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Tollgate {
  /** @param line split at spaces; `more` is passed unchanged */
  (line: string, ...more: string[]): Promise<Answer>;
  /** Runs with `--json` and parses the output. @throws Error if the command fails */
  json(line: string, ...more: string[]): Promise<unknown>;
  /** Runs with the given stdin. */
  withInput(stdin: string, line: string, ...more: string[]): Promise<Answer>;
}

/**
 * Runs the command line in this process, which saves process starts. Commands with stdin run in a child process.
 * @param variables its environment, in addition to PATH, a DATA_DIR that does not exist, a random ENCRYPTION_KEY and a
 * compile cache
 */
export function createTollgate(variables: Record<string, string>): Tollgate {
  const env = createEnv(variables);
  return createRunner((stdin, argv) =>
    stdin === '' ? runInProcess(argv, env) : runInChild(stdin, argv, env),
  );
}

/** Runs the command line in a child process, as an operator does. */
export function spawnTollgate(variables: Record<string, string>): Tollgate {
  const env = createEnv(variables);
  return createRunner((stdin, argv) => runInChild(stdin, argv, env));
}

type Env = Record<string, string>;

export function createEnv(variables: Env): Env {
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    // Never the installation of this checkout, which may be running.
    DATA_DIR: path.join(tmpdir(), `tollgate-none-${randomBytes(8).toString('hex')}`),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    // Never the home folder of the user who runs the tests.
    HOME: path.join(tmpdir(), 'tollgate-no-home'),
    ...variables,
  };
}

function createRunner(run: (stdin: string, argv: readonly string[]) => Promise<Answer>): Tollgate {
  const words = (line: string, more: readonly string[]) => [...line.split(' '), ...more];
  return Object.assign((line: string, ...more: string[]) => run('', words(line, more)), {
    withInput: (stdin: string, line: string, ...more: string[]) => run(stdin, words(line, more)),
    async json(line: string, ...more: string[]): Promise<unknown> {
      const { code, stdout, stderr } = await run('', [...words(line, more), '--json']);
      if (code !== 0) throw new Error(`tollgate ${line} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
  });
}

async function runInChild(stdin: string, argv: readonly string[], env: Env): Promise<Answer> {
  const child = spawn(process.execPath, [MAIN, ...argv], { env });
  child.stdin.end(stdin);
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, stdout, stderr };
}

/** Commands share the process's environment, exit code and output, so they run one at a time. */
let lastRun: Promise<unknown> = Promise.resolve();

function runInProcess(argv: readonly string[], env: Env): Promise<Answer> {
  const run = lastRun.then(async () => {
    const before = exchangeState({ env, exitCode: undefined });
    const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
    try {
      await runCommandLine(argv);
      return { code: getExitCode(process), stdout: stdout.end(), stderr: stderr.end() };
    } finally {
      stdout.end();
      stderr.end();
      exchangeState(before);
    }
  });
  lastRun = run.catch(() => undefined);
  return run;
}

type ProcessState = Pick<NodeJS.Process, 'env' | 'exitCode'>;

/** @returns the previous state */
function exchangeState({ env, exitCode }: ProcessState): ProcessState {
  // oxlint-disable no-restricted-properties -- sets the environment for the command line
  const before = { env: process.env, exitCode: process.exitCode };
  process.env = env;
  // oxlint-enable no-restricted-properties
  process.exitCode = exitCode;
  return before;
}

function getExitCode({ exitCode }: ProcessState): number {
  return Number(exitCode ?? 0);
}

/** Captures output instead of writing it, until `end`. */
function capture(stream: NodeJS.WriteStream): { end: () => string } {
  let written = '';
  const write = vi.spyOn(stream, 'write').mockImplementation((chunk) => {
    written += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    return true;
  });
  return {
    end() {
      write.mockRestore();
      return written;
    },
  };
}
