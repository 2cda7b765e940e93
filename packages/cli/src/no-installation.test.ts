import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createProgram } from './program.ts';
import { createDataDir } from './testing/data-dir.ts';
import { listExamples, listLeaves, parseLine } from './testing/examples.ts';
import { createTollgate } from './testing/run-tollgate.ts';

/** Commands that add the first data of an installation, and commands without a database. */
const RUN_WITHOUT_INSTALLATION = new Set([
  'account create',
  'plan add',
  'plan update',
  'provider add',
  'model add',
  'settings set',
  'migrate',
  'provider presets',
  'model catalogue',
  'doctor',
  'connect',
]);

describe('in a folder without an installation', () => {
  const paths = listLeaves(createProgram())
    .map(({ path }) => path)
    .filter((path) => !RUN_WITHOUT_INSTALLATION.has(path));
  it.each(paths)('`tollgate %s` says so and creates nothing', async (path) => {
    const folder = createDataDir();
    try {
      const tollgate = createTollgate({ DATA_DIR: `${folder.path}/data`, ENCRYPTION_KEY: '' });
      const [line = ''] = await listExamples(tollgate, path);
      const [first = '', ...rest] = parseLine(line).argv;
      const { code, stdout, stderr } = await tollgate(first, ...rest, '--json');
      expect({ code, stdout, stderr: JSON.parse(stderr) }).toEqual({
        code: 1,
        stdout: '',
        stderr: { error: { code: 'no_database', message: expect.stringMatching(/npm start.*DATABASE_URL/) } },
      });
      expect(readdirSync(folder.path)).toEqual([]);
    } finally {
      folder.remove();
    }
  });
});
