import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { codeIn, listSources, read, ROOT } from './read-docs.fixture.ts';

const GUIDE = read('CONTRIBUTING.md');
const SOURCES = [
  ...['api', 'console/server', 'console/src', 'db', 'packages'].flatMap(listSources),
  ...globSync(['api/test/**/*.test.ts', 'packages/cli/src/**/*.test.ts'], { cwd: ROOT }),
];

/** The section of each list of fields, and the type of its fields: a file with a table of them must be listed. */
const SECTIONS = [
  ["Add a field to the key's scope", /(?:Record<|\bin )(?:Exclude<)?\s*KeyScopeField\b/],
  ['Add a term to the plan', /(?:Record<|\bin )(?:Exclude<)?\s*PlanTermsField\b/],
  ['Add a fact to the model', /(?:Record<|\bin )(?:Exclude<)?\s*ModelFactsField\b/],
  ['Add a field to the routing policy', /(?:Record<|\bin )(?:Exclude<)?\s*keyof RoutingPolicy\b/],
  ['Add a price', /(?:Record<|\bin )(?:Exclude<)?\s*Price(?:Usd)?Field\b/],
] as const;

function getSection(heading: string): string {
  const [, text = ''] = GUIDE.split(`### ${heading}\n`);
  const [section = ''] = text.split(/\n##/);
  return section.trim();
}

it.each(SECTIONS)('"%s" has at most 15 lines', (heading) => {
  const lines = getSection(heading).split('\n');
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.length).toBeLessThanOrEqual(15);
});

it.each(SECTIONS)('"%s" names every file with a table of these fields', (heading, pattern) => {
  const tables = SOURCES.filter((file) => pattern.test(read(file)));
  expect(tables.length).toBeGreaterThan(5);
  const named = new Set(codeIn(getSection(heading)));
  expect(tables.filter((file) => !named.has(file))).toEqual([]);
});
