import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findPackagedNode } from './find-node.mjs';
import { takeLock } from './install-lock.mjs';
import { runPnpm } from './pnpm.mjs';

const STAMP_FILE = '.tollgate-install';

/**
 * Makes node_modules match pnpm-lock.yaml. Costs only one file read if it already does.
 * @param {string} root the checkout
 * @param {(line: string) => void} say receives progress messages
 * @throws {Error} with one line that says what to do
 */
export async function ensureInstalled(root, say) {
  if (isInstalled(root)) return;
  const modules = path.join(root, 'node_modules');
  try {
    mkdirSync(modules, { recursive: true });
  } catch (error) {
    throw new Error(`Cannot write to ${root} (${error.code}): install needs that`, { cause: error });
  }
  const release = await takeLock(path.join(modules, '.tollgate-install.lock'), () =>
    say('Waiting for another command that is installing dependencies…'),
  );
  try {
    if (isInstalled(root)) return;
    const isFirst = readStamp(root) === null;
    const startedMs = Date.now();
    say(isFirst ? 'Installing dependencies (first run)…' : 'Updating dependencies…');
    await runPnpm(root, say);
    linkNode(root);
    writeFileSync(path.join(modules, STAMP_FILE), writeStamp(root));
    say(`Dependencies installed in ${Math.round((Date.now() - startedMs) / 1000)} s`);
  } finally {
    release();
  }
}

/** True if the last install used this lockfile and platform. */
export function isInstalled(root) {
  return readStamp(root) === writeStamp(root);
}

/** Inputs of an install: the lockfile and the platform of its binaries. */
export function writeStamp(root) {
  const lockfile = readFileSync(path.join(root, 'pnpm-lock.yaml'));
  const digest = createHash('sha256').update(lockfile).digest('hex');
  return `${digest} ${process.platform}-${process.arch}\n`;
}

function readStamp(root) {
  try {
    return readFileSync(path.join(root, 'node_modules', STAMP_FILE), 'utf8');
  } catch {
    return null;
  }
}

/**
 * Replaces pnpm's shell script at node_modules/.bin/node with the Node executable. npm scripts find it
 * there first, and a shell would not forward signals.
 */
function linkNode(root) {
  const node = findPackagedNode(root);
  if (node === null || process.platform === 'win32') return;
  const link = path.join(root, 'node_modules', '.bin', 'node');
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  symlinkSync(path.relative(path.dirname(link), node), `${link}.new`);
  renameSync(`${link}.new`, link);
}
