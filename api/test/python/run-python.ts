import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isMissing } from '@tollgate/testing/missing-tool';
import { findClientFolder } from '../agents/clis/client-folder.mjs';

/** The sets of pinned packages. */
const SETS = ['newest', 'older'] as const;
export type PythonSet = (typeof SETS)[number];

const getFolder = (set: PythonSet) =>
  findClientFolder(`python-${set}`, [new URL(`${set}.txt`, import.meta.url)]);

export const isPythonMissing = isMissing(
  'the folder of pinned Python clients (node api/test/python/install.mjs)',
  SETS.every((set) => existsSync(getFolder(set))),
  'Python clients',
);

interface RunOptions {
  env: Record<string, string>;
  /** Of standard input; absent: none. */
  input?: string;
  limitMs: number;
}

/** Runs Python with the packages of a set. */
export async function runPython(
  set: PythonSet,
  args: readonly string[],
  { env, input, limitMs }: RunOptions,
) {
  const child = spawn(path.join(getFolder(set), 'bin/python3'), args, {
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', PYTHONUTF8: '1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (bytes: Buffer) => stdout.push(bytes));
  child.stderr.on('data', (bytes: Buffer) => stderr.push(bytes));
  // A program that failed no longer reads: its exit code says more than the broken pipe.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input ?? '');
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  await once(child, 'close');
  clearTimeout(timer);
  const getText = (chunks: Buffer[]) => Buffer.concat(chunks).toString('utf8');
  return { exitCode: child.exitCode, stdout: getText(stdout), stderr: getText(stderr) };
}
