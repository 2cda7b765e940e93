import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { getBin, getEnvironment } from './run-child.mjs';

const ROOT = path.join(import.meta.dirname, '..');

describe('node scripts/run.mjs', () => {
  it('lists its tasks if the task is unknown', async () => {
    const child = spawn(process.execPath, [path.join(ROOT, 'scripts/run.mjs'), 'toString']);
    const code = new Promise((resolve) => child.once('exit', resolve));
    expect(await text(child.stderr)).toBe(
      'Unknown task "toString": node scripts/run.mjs start | dev | build | bench | tollgate | test | chaos | clients | check | e2e | checksums | outline\n',
    );
    expect(await code).toBe(2);
  });

  it('puts Node 24 and workspace tools first on the PATH of a task', () => {
    const { PATH } = getEnvironment({ root: '/checkout', node: '/somewhere/bin/node' });
    expect(PATH.split(path.delimiter).slice(0, 2)).toEqual(['/somewhere/bin', '/checkout/node_modules/.bin']);
  });

  it('finds the JavaScript file of a command', () => {
    expect(getBin(ROOT, 'vitest')).toMatch(/node_modules\/vitest\/.*\.m?js$/);
    expect(getBin(ROOT, 'typescript', 'tsc')).toMatch(/node_modules\/typescript\/bin\/tsc$/);
  });
});
