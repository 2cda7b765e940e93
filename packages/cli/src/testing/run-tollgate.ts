import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { CHECKOUT } from '../env.ts';

const MAIN = path.join(import.meta.dirname, '../main.ts');

interface Answer {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Tollgate {
  /** @param line split at its blanks; `more` is passed as it is */
  (line: string, ...more: string[]): Promise<Answer>;
  /** Runs with `--json` and reads what it prints. @throws Error where the command fails */
  json(line: string, ...more: string[]): Promise<unknown>;
  /** Runs with something on stdin. */
  withInput(stdin: string, line: string, ...more: string[]): Promise<Answer>;
}

/**
 * The command line as a process of its own, as an operator runs it.
 * @param variables its environment, besides a PATH, an ENCRYPTION_KEY of its own and what makes it start quicker
 */
export function createTollgate(variables: Record<string, string>): Tollgate {
  const env = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    NODE_COMPILE_CACHE: path.join(CHECKOUT, 'node_modules/.cache/tollgate'),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ...variables,
  };
  const run = async (stdin: string, line: string, more: readonly string[]): Promise<Answer> => {
    const child = spawn(process.execPath, [MAIN, ...line.split(' '), ...more], { env });
    child.stdin.end(stdin);
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
    return { code, stdout, stderr };
  };
  return Object.assign((line: string, ...more: string[]) => run('', line, more), {
    withInput: (stdin: string, line: string, ...more: string[]) => run(stdin, line, more),
    async json(line: string, ...more: string[]): Promise<unknown> {
      const { code, stdout, stderr } = await run('', line, [...more, '--json']);
      if (code !== 0) throw new Error(`tollgate ${line} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
  });
}
