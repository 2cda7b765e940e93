import { appendFileSync, existsSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readLogFrom, rotateLog } from './server-log.ts';
import { createFolder, type TemporaryFolder } from './temporary-folder.fixture.ts';

let folder: TemporaryFolder;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

it('reads what was written to a log after a position', () => {
  const file = path.join(folder.path, 'server.log');
  expect([rotateLog(file), readLogFrom(file, 0)]).toEqual([0, '']);
  writeFileSync(file, 'earlier\n');
  const size = rotateLog(file);
  appendFileSync(file, 'FATAL: now\n');
  expect(readLogFrom(file, size)).toBe('FATAL: now\n');
});

it('keeps a log of more than 2 GiB apart, which no process could read as a whole', () => {
  const file = path.join(folder.path, 'server.log');
  writeFileSync(file, '');
  truncateSync(file, 2 ** 31 + 10);
  expect(readLogFrom(file, 0)).toHaveLength(256 * 1024);
  expect(rotateLog(file)).toBe(0);
  expect([existsSync(file), existsSync(`${file}.1`)]).toEqual([false, true]);
});
