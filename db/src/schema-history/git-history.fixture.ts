import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { createFunctionSet, type FunctionSet } from '../function-files.ts';
import type { Migration } from '../migration-files.ts';
import { orderMigrations } from '../migration-files.ts';

const CHECKOUT = path.resolve(import.meta.dirname, '../../..');
const MIGRATIONS = 'db/migrations';
const FUNCTIONS = 'db/functions';
const CHECKSUMS = 'checksums.txt';

/** The migrations and SQL functions of a commit that changed them. */
export interface HistoricSet {
  /** Short hash and subject. */
  commit: string;
  /** null when two files have the same number: that commit refused to migrate anything. */
  migrations: Migration[] | null;
  /** Lines of checksums.txt, file name → checksum; empty before the file existed. */
  checksums: ReadonlyMap<string, string>;
  /** null before functions had files. */
  functions: FunctionSet | null;
  /** Text of db/functions/checksums.txt. */
  functionHistory: string;
}

/** Every different set that was ever committed, oldest first; null without git or with a shallow clone. */
export function readHistoricSets(): HistoricSet[] | null {
  try {
    if (git('rev-parse', '--is-shallow-repository').trim() !== 'false') return null;
    const log = git('log', '--reverse', '--format=%h %s', 'HEAD', '--', MIGRATIONS, FUNCTIONS);
    return log
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map(readSet);
  } catch {
    return null;
  }
}

function readSet(commit: string): HistoricSet {
  const [hash = ''] = commit.split(' ');
  const migrations = readFolder(hash, MIGRATIONS);
  const functions = readFolder(hash, FUNCTIONS);
  const functionHistory = functions.get(CHECKSUMS) ?? '';
  const functionFiles = listSql(functions).map(({ name, sql }) => ({ name: path.parse(name).name, sql }));
  return {
    commit,
    migrations: order(listSql(migrations)),
    checksums: parseChecksums(migrations.get(CHECKSUMS) ?? ''),
    functions: functionFiles.length === 0 ? null : createFunctionSet(functionFiles, functionHistory),
    functionHistory,
  };
}

/** @returns the text of each file by its name; empty if the commit has no such folder */
function readFolder(hash: string, folder: string): Map<string, string> {
  if (git('ls-tree', '--name-only', hash, folder).trim() === '') return new Map();
  const names = git('ls-tree', '--name-only', `${hash}:${folder}`).trim().split('\n');
  return new Map(names.map((name) => [name, git('show', `${hash}:${folder}/${name}`)]));
}

function listSql(files: ReadonlyMap<string, string>): { name: string; sql: string }[] {
  return [...files].filter(([name]) => name.endsWith('.sql')).map(([name, sql]) => ({ name, sql }));
}

/** Reads lines as `sha256sum` writes them. */
export function parseChecksums(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)].map(([, checksum = '', name = '']) => [name, checksum]),
  );
}

function order(files: readonly { name: string; sql: string }[]): Migration[] | null {
  try {
    return orderMigrations(files);
  } catch {
    return null;
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, {
    cwd: CHECKOUT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
