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
    if (git(['rev-parse', '--is-shallow-repository']).trim() !== 'false') return null;
    const log = git(['log', '--reverse', '--format=%h %s', 'HEAD', '--', MIGRATIONS, FUNCTIONS]);
    const commits = log
      .trim()
      .split('\n')
      .filter((line) => line !== '');
    const trees = commits.map((commit) => readTree(commit.split(' ')[0] ?? ''));
    const texts = readBlobs(trees.flatMap((tree) => [...tree.values()]));
    return commits.map((commit, index) => readSet(commit, trees[index] ?? new Map(), texts));
  } catch {
    return null;
  }
}

/** Object id by path. */
type Tree = ReadonlyMap<string, string>;

function readSet(commit: string, tree: Tree, texts: ReadonlyMap<string, string>): HistoricSet {
  const migrations = getFolder(tree, MIGRATIONS, texts);
  const functions = getFolder(tree, FUNCTIONS, texts);
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

/** The files of both folders in a commit. */
function readTree(hash: string): Tree {
  const listed = git(['ls-tree', '-r', hash, '--', MIGRATIONS, FUNCTIONS]);
  return new Map(
    [...listed.matchAll(/^\d+ blob ([0-9a-f]+)\t(.+)$/gm)].map(([, id = '', file = '']) => [file, id]),
  );
}

/** @returns the text of each object. One process reads them all: there are more than a thousand. */
function readBlobs(ids: readonly string[]): Map<string, string> {
  const wanted = [...new Set(ids)];
  const output = Buffer.from(git(['cat-file', '--batch'], wanted.join('\n')));
  const texts = new Map<string, string>();
  let at = 0;
  for (const id of wanted) {
    const start = output.indexOf('\n', at) + 1;
    const size = Number(output.toString('utf8', at, start).trim().split(' ')[2]);
    texts.set(id, output.toString('utf8', start, start + size));
    at = start + size + 1;
  }
  return texts;
}

/** @returns the text of each file by its name; empty if the commit has no such folder */
function getFolder(tree: Tree, folder: string, texts: ReadonlyMap<string, string>): Map<string, string> {
  const files = [...tree].filter(([file]) => path.posix.dirname(file) === folder);
  return new Map(files.map(([file, id]) => [path.posix.basename(file), texts.get(id) ?? '']));
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

function git(args: readonly string[], input = ''): string {
  return execFileSync('git', args, {
    cwd: CHECKOUT,
    input,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}
