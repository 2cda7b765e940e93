import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CHECKOUT } from '../env.ts';
import { Failure } from '../failure.ts';
import { CONSOLE_FOLDER } from './find-vite.ts';
import { hashSources, refuseUnwritable, runViteBuild, type BuildOptions } from './vite-build.ts';

/** Files of the checkout that determine the built app. */
export const CONSOLE_SOURCES = [
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
 * @throws Failure with the bundler's output, or that this user cannot write the build
 */
export async function buildConsole({ signal, onBuild }: BuildOptions): Promise<void> {
  const stamp = hashSources(CHECKOUT, CONSOLE_SOURCES);
  if (isBuilt(stamp)) return;
  // Vite keeps its compiled configuration in the second one.
  refuseUnwritable('console', [DIST, path.join(CONSOLE_FOLDER, 'node_modules')]);
  onBuild();
  const problem = await runViteBuild(CONSOLE_FOLDER, [], signal);
  if (problem !== null) throw new Failure('console_build_failed', `The console build failed.\n${problem}`);
  writeFileSync(STAMP, stamp);
}

function isBuilt(stamp: string): boolean {
  return (
    existsSync(path.join(DIST, 'index.html')) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp
  );
}
