import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { LongestFirst } from '../vitest.sequencer.ts';
import { CHAOS, CLIENTS, CLOCKED_CHAOS, EVERY_TEST, LONGEST } from '../vitest.suites.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Lists the patterns behind the braces of one pattern. */
function expandBraces(pattern) {
  const [, before, choices, after] = /^(.*?)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  if (choices === undefined) return [pattern];
  return choices.split(',').flatMap((choice) => expandBraces(before + choice + after));
}

it('every pattern of a test suite matches a file', () => {
  const all = [EVERY_TEST, CHAOS, CLIENTS, CLOCKED_CHAOS, LONGEST].flat().flatMap(expandBraces);
  const exclude = ['**/node_modules/**'];
  expect(all.filter((pattern) => globSync(pattern, { cwd: ROOT, exclude }).length === 0)).toEqual([]);
});

it('the longest files of a project start first, and projects do not alternate', async () => {
  const [first] = globSync(LONGEST, { cwd: ROOT });
  const spec = (project, file) => ({
    moduleId: path.join(ROOT, file),
    project: { name: project, config: { sequence: { groupOrder: 0 }, isolate: false } },
  });
  const sequencer = new LongestFirst({ cache: { getTestSpecificationResult: () => undefined } });

  const sorted = await sequencer.sort([
    spec('others', 'pnpm-lock.yaml'),
    spec('others', 'package.json'),
    spec('components', 'package.json'),
    spec('others', first),
  ]);
  expect(sorted.map(({ moduleId, project }) => `${project.name} ${path.relative(ROOT, moduleId)}`)).toEqual([
    'components package.json',
    `others ${first}`,
    'others pnpm-lock.yaml',
    'others package.json',
  ]);
});
