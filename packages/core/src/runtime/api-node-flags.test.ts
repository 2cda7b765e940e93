import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { apiNodeFlags } from './api-node-flags.ts';

it('enlarges the young generation on machines with enough memory', () => {
  expect(apiNodeFlags(2 * 1024 ** 3)).toContain('--max-semi-space-size=64');
  expect(apiNodeFlags(2 * 1024 ** 3 - 1)).not.toContain('--max-semi-space-size=64');
});

it('starts Node with flags that it knows', () => {
  const { status, stderr } = spawnSync(process.execPath, [...apiNodeFlags(), '--eval', '']);
  expect([status, stderr.toString()]).toEqual([0, '']);
});
