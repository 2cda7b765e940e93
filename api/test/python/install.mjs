// Installs the pinned Python clients into the user's cache folder. `.ci/run` calls it; tests skip clients that are not there.
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findClientFolder } from '../agents/clis/client-folder.mjs';

/** Fast enough for every run of the gate. */
const INSTALLER = 'uv==0.13.9';

for (const name of ['newest', 'older']) {
  const requirements = new URL(`${name}.txt`, import.meta.url);
  const folder = findClientFolder(`python-${name}`, [requirements]);
  if (!existsSync(folder)) {
    const partial = `${folder}.${process.pid}`;
    const python = `${partial}/bin/python3`;
    try {
      run('python3', ['-m', 'venv', partial]);
      run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', INSTALLER]);
      const options = ['--quiet', '--python', python];
      run(`${partial}/bin/uv`, [
        'pip',
        'install',
        '--compile-bytecode',
        ...options,
        '-r',
        fileURLToPath(requirements),
      ]);
      renameSync(partial, folder);
    } catch (error) {
      rmSync(partial, { recursive: true, force: true });
      throw error;
    }
  }
  process.stdout.write(`Python clients of the tests (${name}) are in ${folder}\n`);
}

function run(command, options) {
  const { status, error } = spawnSync(command, options, { stdio: 'inherit' });
  if (status !== 0) throw error ?? new Error(`${command} ${options.join(' ')} failed with ${status}`);
}
