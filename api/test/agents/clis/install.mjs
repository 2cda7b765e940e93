// Installs the pinned coding agents into the user's cache folder. `.ci/run` calls it; tests skip agents that are not there.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runPnpm } from '../../../../scripts/pnpm.mjs';
import { findClientFolder } from './client-folder.mjs';

const folder = findClientFolder('clis', [new URL('pnpm-lock.yaml', import.meta.url)]);
if (!existsSync(folder)) {
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    for (const file of ['package.json', 'pnpm-lock.yaml'])
      cpSync(new URL(file, import.meta.url), path.join(partial, file));
    // Install scripts do not run: they would only copy the programs, which are in the packages of each platform.
    await runPnpm(partial, (line) => process.stdout.write(`${line}\n`));
    renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}
process.stdout.write(`The coding agents of the tests are in ${folder}\n`);
