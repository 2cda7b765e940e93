import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const INSTALL_TIMEOUT_MS = 5 * 60_000;

export interface Checkout extends Disposable {
  folder: string;
  /** The abbreviated commit. */
  name: string;
}

/**
 * Checks a commit of this repository out into a new folder and installs it there. The folder is removed when it is disposed.
 * @throws Error that says what is wrong if there is no such commit or it cannot be installed
 */
export function checkOut(commit: string, dir: string): Checkout {
  const name = readCommit(commit);
  const folder = path.join(dir, `against-${name}`);
  git('worktree', 'add', '--detach', folder, name);
  const remove = () => void git('worktree', 'remove', '--force', folder);
  try {
    // Its first command installs it.
    execFileSync('node', ['scripts/run.mjs', 'tollgate', '--help'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: INSTALL_TIMEOUT_MS,
    });
  } catch (error) {
    remove();
    throw new Error(`${name} could not be installed`, { cause: error });
  }
  return { folder, name, [Symbol.dispose]: remove };
}

function readCommit(commit: string): string {
  try {
    return git('rev-parse', '--verify', '--short', '--end-of-options', `${commit}^{commit}`).trim();
  } catch (error) {
    throw new Error(`--against takes a commit of this repository, not ${commit}`, { cause: error });
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
