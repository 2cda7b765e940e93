import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { readEnv } from '../env.ts';
import { readRunningFile, writeRunningFile } from './running-file.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'tollgate-running-'));
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('names the services to commands on the same data directory, also if it was moved, and not on a copy of it', () => {
  const data = path.join(root, 'data');
  const remove = writeRunningFile(readEnv({ DATA_DIR: data, API_PORT: '8911' }));
  expect(readRunningFile(data)?.api.port).toBe(8911);
  const copy = path.join(root, 'copy');
  cpSync(data, copy, { recursive: true });
  expect(readRunningFile(copy)).toBeNull();
  const moved = path.join(root, 'moved');
  renameSync(data, moved);
  expect(readRunningFile(moved)?.api.port).toBe(8911);
  renameSync(moved, data);
  remove();
  expect(readRunningFile(data)).toBeNull();
});
