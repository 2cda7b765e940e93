import { globSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { codeIn, isInCheckout, listSources, read, ROOT, tableAfter } from './read-docs.fixture.ts';

const PATH_IN_CODE = /`((?:\.?[a-z][\w.-]*\/)*[\w.-]+\.(?:tsx?|mjs|sql|json|md|ya?ml))`/g;
const architecture = read('docs/architecture.md');
const contributing = read('CONTRIBUTING.md');

it.each([
  'docs/architecture.md',
  'docs/operations.md',
  'README.md',
  'CONTRIBUTING.md',
  'docs/token-counts.md',
  'docs/glossary.md',
])('every file that %s names exists', (document) => {
  const named = [...read(document).matchAll(PATH_IN_CODE)].map((match) => match[1] ?? '');
  expect(named.filter((file) => !isInCheckout(file))).toEqual([]);
});

it('lists every package', () => {
  const named = tableAfter(architecture, '# Architecture').flatMap(([cell = '']) => codeIn(cell));
  const packages = readdirSync(path.join(ROOT, 'packages')).map((name) => `packages/${name}`);
  expect(named.toSorted()).toEqual([...packages, 'db'].toSorted());
});

/** The workspace packages that a package depends on. */
function getNeeds(folder: string): string[] {
  const { dependencies = {} } = JSON.parse(read(`${folder}/package.json`));
  return Object.keys(dependencies).flatMap((name) => /^@tollgate\/(.+)/.exec(name)?.[1] ?? []);
}

it('imports go only in the documented direction', () => {
  const [drawn = ''] = /Imports go one way:[^.]*/.exec(architecture) ?? [];
  const arrows = codeIn(drawn).filter((code) => code.includes('←'));
  expect(arrows).toHaveLength(3);
  const allowed = new Map<string, Set<string>>();
  for (const arrow of arrows) {
    const steps = arrow.split(' ← ').map((names) => names.split(', '));
    for (const [at, names] of steps.entries())
      for (const name of names) {
        const below = steps.slice(0, at).flat();
        allowed.set(name, new Set([...(allowed.get(name) ?? []), ...below]));
      }
  }
  for (const name of allowed.get('mail') ?? [])
    for (const below of allowed.get(name) ?? []) allowed.get('mail')?.add(below);
  expect([...allowed.keys()].toSorted()).toEqual(
    ['core', 'dialects', 'upstreams', 'auth', 'limits', 'ledger', 'db', 'mail'].toSorted(),
  );
  for (const [name, below] of allowed) {
    const needs = getNeeds(name === 'db' ? 'db' : `packages/${name}`);
    expect([name, needs.filter((need) => !below.has(need))]).toEqual([name, []]);
  }
  expect(getNeeds('api')).not.toContain('console');
  expect(getNeeds('console')).not.toContain('api');
});

it('core depends only on zod', () => {
  expect(architecture).toContain('depends only on zod');
  expect(Object.keys(JSON.parse(read('packages/core/package.json')).dependencies)).toEqual(['zod']);
});

it('the function of the ledger is in the named file', () => {
  const [, named = ''] = /calls the function in `([^`]+)`/.exec(architecture) ?? [];
  expect(read(named)).toContain('FUNCTION commit_ledger_batch(');
  expect(read('db/src/queries/ledger/commit-batch.ts')).toContain('FROM commit_ledger_batch(');
});

it('the functions that announce changes are in the named file and next to it', () => {
  const [, named = ''] =
    /triggers that call `([^`]+)` and the other\s+`notify` functions/.exec(architecture) ?? [];
  const announcing = globSync('db/functions/notify_*.sql', { cwd: ROOT });
  expect(announcing).toContain(named);
  expect(announcing.filter((file) => !read(file).includes("pg_notify('tollgate_changes'"))).toEqual([]);
});

it('the OpenAPI description and its page are loaded on first use', () => {
  expect(architecture).toContain('Both are loaded on first use.');
  const importers = listSources('api/src').filter((file) =>
    /from '[^']*(?:openapi\/document|docs\/answer-docs|\.\/answer-docs)\.ts'/.test(read(file)),
  );
  expect(importers).toEqual(['api/src/docs/answer-docs.ts']);
});

it('only the named files read the environment', () => {
  const [, named = ''] =
    / Only (`[^`]+`,\s+`[^`]+`\s+and\s+`[^`]+`)\s+read\s+the\s+environment\./.exec(contributing) ?? [];
  const product = ['api', 'console/server', 'db/src', 'packages']
    .flatMap(listSources)
    .filter((file) => !/^packages\/(?:testing|bench)\//.test(file))
    // They contain programs as text.
    .filter((file) => !/^packages\/core\/src\/(?:code-samples|clients)\//.test(file));
  const readers = product.filter((file) => /\bprocess\.env\b/.test(read(file)));
  expect(readers.toSorted()).toEqual(codeIn(named).toSorted());
});

it('only the named folder queries the database', () => {
  expect(contributing).toMatch(/Only\s+`db\/src\/queries\/` contains\s+queries\s+of\s+the\s+database\./);
  const others = ['api', 'console', 'packages']
    .flatMap(listSources)
    .filter((file) => !/^packages\/(?:testing|bench)\//.test(file));
  expect(others.length).toBeGreaterThan(500);
  expect(
    others.filter((file) => /from '(?:postgres|drizzle-orm)|\bsql(?:<[^`]*>)?`|\.drizzle\b/.test(read(file))),
  ).toEqual([]);
});

it('most files are shorter than the stated length', () => {
  const [, most = ''] = /300 lines at most, most below (\d+)\./.exec(contributing) ?? [];
  const lengths = globSync('{api,console,db,docs,packages,scripts}/**/*.{ts,tsx,mjs}', { cwd: ROOT })
    .filter((file) => !/node_modules|\/dist\//.test(file))
    .map((file) => read(file).split('\n').length - 1);
  expect(lengths.filter((length) => length < Number(most)).length).toBeGreaterThan(lengths.length / 2);
});

it('`npm run check` runs the documented checks', () => {
  const [, said = ''] = /npm run check +(.*)/.exec(contributing) ?? [];
  const checks = [...read('scripts/check.mjs').matchAll(/name: '([a-z ]+)/g)].map(([, name = '']) =>
    name.trim(),
  );
  expect(said.split(', ').toSorted()).toEqual([...new Set(checks)].toSorted());
  expect(read('.oxlintrc.json')).toContain('api and console never import each other.');
});

it('.ci/run runs the tests and the checks', () => {
  const gate = read('.ci/run');
  for (const command of ['npm test', 'npm run check', 'npm run test:e2e'])
    expect(gate).toMatch(new RegExp(`^(?:\\S+=\\S+ )*${command}$`, 'm'));
});
