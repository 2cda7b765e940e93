import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { CHAOS, CLOCKED, CLOCKED_CHAOS, EVERY_TEST } from '../vitest.suites.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Lists the patterns behind the braces of one pattern. */
function expandBraces(pattern) {
  const [, before, choices, after] = /^(.*?)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  if (choices === undefined) return [pattern];
  return choices.split(',').flatMap((choice) => expandBraces(before + choice + after));
}

it('every pattern of a test suite matches a file', () => {
  const all = [EVERY_TEST, CHAOS, CLOCKED_CHAOS, CLOCKED].flat().flatMap(expandBraces);
  const exclude = ['**/node_modules/**'];
  expect(all.filter((pattern) => globSync(pattern, { cwd: ROOT, exclude }).length === 0)).toEqual([]);
});
