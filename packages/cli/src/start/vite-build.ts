import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { childEnvironment } from '../env.ts';
import { Failure } from '../failure.ts';
import { findVite } from './find-vite.ts';

export interface BuildOptions {
  signal: AbortSignal;
  /** Called before a build; not called if the last one is up to date. */
  onBuild: () => void;
}

/**
 * @param name what is built
 * @param folders where files are created; the nearest existing folder is checked
 * @throws Failure that says what to do if this user cannot write there
 */
export function refuseUnwritable(name: string, folders: readonly string[]): void {
  for (const folder of folders) {
    let existing = folder;
    while (!existsSync(existing)) existing = path.dirname(existing);
    try {
      accessSync(existing, constants.W_OK | constants.X_OK);
    } catch {
      throw new Failure(
        'build_not_writable',
        `The ${name} must be built, but this user cannot write to ${existing}. Run \`npm run build\` as the owner of that folder, then start again.`,
      );
    }
  }
}

/** @returns null after a build, else the bundler's output */
export async function runViteBuild(
  folder: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string | null> {
  const child = spawn(process.execPath, [findVite(), 'build', '--logLevel', 'warn', ...args], {
    cwd: folder,
    // Any other value adds React's development checks, about 50% more code.
    env: childEnvironment({ NODE_ENV: 'production' }),
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return code === 0 ? null : (err + out).trim();
}

/** Hashes file contents, so that only new modification times cause no build. Excludes tests. */
export function hashSources(checkout: string, sources: readonly string[]): string {
  const digest = createHash('sha256');
  const files = globSync(sources, { cwd: checkout }).filter((file) => !/\.test\.tsx?$/.test(file));
  for (const file of files.toSorted()) {
    const absolute = path.join(checkout, file);
    if (statSync(absolute).isFile()) digest.update(`${file}\0`).update(readFileSync(absolute)).update('\0');
  }
  return digest.digest('hex');
}
