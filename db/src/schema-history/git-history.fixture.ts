import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { Migration } from '../migration-files.ts';
import { orderMigrations } from '../migration-files.ts';

const CHECKOUT = path.resolve(import.meta.dirname, '../../..');
const FOLDER = 'db/migrations';

/** The migrations of a commit that changed them. */
export interface HistoricSet {
  /** Short hash and subject. */
  commit: string;
  /** null when two files have the same number: that commit refused to migrate anything. */
  migrations: Migration[] | null;
  /** Lines of checksums.txt, file name → checksum; empty before the file existed. */
  checksums: ReadonlyMap<string, string>;
}

/** Every different set of migrations that was ever committed, oldest first; null without git or with a shallow clone. */
export function readHistoricSets(): HistoricSet[] | null {
  try {
    if (git('rev-parse', '--is-shallow-repository').trim() !== 'false') return null;
    const commits = git('log', '--reverse', '--format=%h %s', 'HEAD', '--', FOLDER).trim().split('\n');
    return commits.filter((line) => line !== '').map(readSet);
  } catch {
    return null;
  }
}

function readSet(commit: string): HistoricSet {
  const [hash = ''] = commit.split(' ');
  const names = git('ls-tree', '--name-only', `${hash}:${FOLDER}`).trim().split('\n');
  const read = (name: string) => git('show', `${hash}:${FOLDER}/${name}`);
  const files = names.filter((name) => name.endsWith('.sql')).map((name) => ({ name, sql: read(name) }));
  const checksums = names.includes('checksums.txt') ? read('checksums.txt') : '';
  return { commit, migrations: order(files), checksums: parseChecksums(checksums) };
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
