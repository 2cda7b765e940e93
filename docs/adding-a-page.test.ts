import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { paths } from '../console/src/lib/paths.ts';
import { read, ROOT } from './read-docs.fixture.ts';

const NAMES = Object.keys(paths).filter((name): name is keyof typeof paths => name in paths);
const sources = (pattern: string) => globSync(pattern, { cwd: ROOT }).map(read).join('\n');

/** Pages that are only reached from another page or an email, and need no parameter. */
const NOT_IN_NAVIGATION = new Set([
  'audit',
  'confirmEmail',
  'requestErrors',
  'requestSession',
  'requestSessions',
  'statements',
]);

const APP = sources('console/src/app/*.tsx');
const NAVIGATION = read('console/src/components/layouts/pages.ts');

it('every path of the console has a route', () => {
  expect(NAMES.filter((name) => !new RegExp(`path: paths\\.${name}\\b`).test(APP))).toEqual([]);
});

it('every page inside the app that needs no parameter is in the navigation', () => {
  const inside = [...APP.matchAll(/getParentRoute: \(\) => app,\s+path: paths\.(\w+)/g)].flatMap(
    ([, name]) => name ?? [],
  );
  const pages = NAMES.filter((name) => inside.includes(name) && !paths[name].includes('$'));
  expect(pages.length).toBeGreaterThan(15);
  const missing = pages.filter((name) => !NAVIGATION.includes(`to: paths.${name},`));
  expect(missing.filter((name) => !NOT_IN_NAVIGATION.has(name))).toEqual([]);
});

it('a browser test opens every page of the navigation', () => {
  const specs = sources('console/e2e/*.ts');
  const pages = NAMES.filter((name) => NAVIGATION.includes(`to: paths.${name},`));
  expect(pages.length).toBeGreaterThan(15);
  expect(
    pages.filter((name) => !specs.includes(`'${paths[name]}`) && !specs.includes(`\`${paths[name]}`)),
  ).toEqual([]);
});
