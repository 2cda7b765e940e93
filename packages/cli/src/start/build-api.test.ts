import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { CHECKOUT } from '../env.ts';
import { API_SOURCES, buildApi } from './build-api.ts';

it('the build of the api depends on the sources of every package that the api imports', () => {
  const files = new Set(globSync(API_SOURCES, { cwd: CHECKOUT }));
  const folders = new Set(['api']);
  for (const folder of folders) {
    expect(files).toContain(`${folder}/package.json`);
    expect([...files].some((file) => file.startsWith(`${folder}/src/`))).toBe(true);
    const { dependencies = {} } = JSON.parse(
      readFileSync(path.join(CHECKOUT, folder, 'package.json'), 'utf8'),
    );
    for (const name of Object.keys(dependencies)) {
      const own = /^@tollgate\/(.+)$/.exec(name)?.[1];
      if (own !== undefined) folders.add(own === 'db' ? own : `packages/${own}`);
    }
  }
  expect(folders.size).toBeGreaterThan(5);
});

it(
  'builds the api in ASCII, which V8 keeps in half the memory of other text',
  { timeout: 120_000 },
  async () => {
    const signal = new AbortController().signal;
    const entry = readFileSync(await buildApi({ signal, onBuild: () => undefined }), 'utf8');
    const folder = path.join(CHECKOUT, 'api/dist', /import '(.+)\/main\.mjs'/.exec(entry)?.[1] ?? '');
    const files = globSync('*.mjs', { cwd: folder });
    expect(files.length).toBeGreaterThan(3);
    const isAscii = (file: string) => readFileSync(path.join(folder, file)).every((byte) => byte < 0x80);
    // Texts of `String.raw` cannot be escaped by the bundler.
    expect(files.filter((file) => !isAscii(file))).toEqual([]);
  },
);
