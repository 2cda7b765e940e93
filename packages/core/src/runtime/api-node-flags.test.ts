import { expect, it } from 'vitest';
import { apiNodeFlags } from './api-node-flags.ts';

it('enlarges the young generation on machines with enough memory', () => {
  expect(apiNodeFlags(2 * 1024 ** 3)).toEqual(['--max-semi-space-size=64']);
  expect(apiNodeFlags(2 * 1024 ** 3 - 1)).toEqual([]);
});
