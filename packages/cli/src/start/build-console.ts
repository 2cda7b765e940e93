import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { CHECKOUT, childEnvironment } from '../env.ts';
import { Failure } from '../failure.ts';
import { CONSOLE_FOLDER, findVite } from './find-vite.ts';

/** Files of the checkout that determine the built app. */
const SOURCES = [
  'packages/cli/src/start/build-console.ts',
  'console/src/**/*',
  'console/public/**/*',
  'console/{index.html,vite.config.ts,tsconfig.json,package.json}',
  'packages/core/src/**/*.ts',
  'pnpm-lock.yaml',
];
const DIST = path.join(CONSOLE_FOLDER, 'dist');
const STAMP = path.join(DIST, '.tollgate-build');

/**
 * Builds the console's app if its sources changed since the last build.
 * @param options.onBuild called before a build
 * @throws Failure with the bundler's output
 */
export async function buildConsole(options: { signal: AbortSignal; onBuild: () => void }): Promise<void> {
  const stamp = hashSources(CHECKOUT);
  if (isBuilt(stamp)) return;
  options.onBuild();
  const child = spawn(process.execPath, [findVite(), 'build', '--logLevel', 'warn'], {
    cwd: CONSOLE_FOLDER,
    // Any other value adds React's development checks, about 50% more code.
    env: childEnvironment({ NODE_ENV: 'production' }),
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: options.signal,
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0)
    throw new Failure('console_build_failed', `The console build failed.\n${(err + out).trim()}`);
  writeFileSync(STAMP, stamp);
}

function isBuilt(stamp: string): boolean {
  return (
    existsSync(path.join(DIST, 'index.html')) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp
  );
}

/** Hashes file contents, so that only new modification times cause no build. Excludes tests. */
export function hashSources(checkout: string): string {
  const digest = createHash('sha256');
  const files = globSync(SOURCES, { cwd: checkout }).filter((file) => !/\.test\.tsx?$/.test(file));
  for (const file of files.toSorted()) {
    const absolute = path.join(checkout, file);
    if (statSync(absolute).isFile()) digest.update(`${file}\0`).update(readFileSync(absolute)).update('\0');
  }
  return digest.digest('hex');
}
