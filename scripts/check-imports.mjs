// Checks that the console's source imports in one direction only: lib, components, features, app, and between features
// as listed here. `docs/architecture.md` states the same, and a test compares the two.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync } from 'oxc-parser';

const ROOT = path.resolve(import.meta.dirname, '..');
const SOURCE = 'console/src';

/** Each layer imports only itself and the layers before it. */
export const LAYERS = ['lib', 'components', 'features', 'app'];

/** The features that a feature imports. All others import no feature. */
export const FEATURE_IMPORTS = {
  audit: ['team'],
  connect: ['keys'],
  keys: ['requests', 'usage'],
  operator: ['billing', 'two-factor-policy', 'usage'],
  overview: ['requests', 'usage'],
  requests: ['playground'],
  team: ['auth', 'two-factor-policy'],
};

/**
 * Lists the imports of a file that go in a forbidden direction. Types, re-exports and dynamic imports count.
 * @param {string} file path below `console/src`, with `/`
 * @param {string} source its text
 * @returns {{ line: number, text: string }[]}
 */
export function findForbiddenImports(file, source) {
  return listImports(file, source).flatMap(({ specifier, start }) => {
    if (!specifier.startsWith('.')) return [];
    const problem = getProblem(file, path.posix.join(path.posix.dirname(file), specifier));
    return problem === null ? [] : [{ line: source.slice(0, start).split('\n').length, text: problem }];
  });
}

/** @returns {string | null} why `from` must not import `to`; null if it may */
function getProblem(from, to) {
  const [layer, feature] = from.split('/');
  const [otherLayer, otherFeature] = to.split('/');
  // `main.tsx` is above all layers. A path outside `console/src` is checked by oxlint.
  if (!LAYERS.includes(layer) || !LAYERS.includes(otherLayer)) return null;
  if (LAYERS.indexOf(otherLayer) > LAYERS.indexOf(layer))
    return `${layer} must not import ${otherLayer}: ${to}`;
  if (layer !== 'features' || otherLayer !== 'features' || feature === otherFeature) return null;
  if (FEATURE_IMPORTS[feature]?.includes(otherFeature)) return null;
  return `${feature} must not import ${otherFeature}: move ${to} to components or lib`;
}

function listImports(file, source) {
  const { module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const fixed = [...module.staticImports, ...module.staticExports.flatMap(({ entries }) => entries)].flatMap(
    ({ moduleRequest }) =>
      moduleRequest === null ? [] : [{ specifier: moduleRequest.value, start: moduleRequest.start }],
  );
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const [, specifier] = /^(['"`])(.*)\1$/.exec(source.slice(start, end))?.slice(1) ?? [];
    return specifier === undefined ? [] : [{ specifier, start }];
  });
  return [...fixed, ...dynamic];
}

/**
 * @param {Record<string, string[]>} graph features that each feature imports
 * @returns {string[] | null} features of a cycle; null if imports go one way
 */
export function findCycle(graph) {
  const done = new Set();
  const walk = (feature, way) => {
    if (way.includes(feature)) return [...way.slice(way.indexOf(feature)), feature];
    if (done.has(feature)) return null;
    for (const next of graph[feature] ?? []) {
      const cycle = walk(next, [...way, feature]);
      if (cycle !== null) return cycle;
    }
    done.add(feature);
    return null;
  };
  for (const feature of Object.keys(graph)) {
    const cycle = walk(feature, []);
    if (cycle !== null) return cycle;
  }
  return null;
}

function main() {
  const cycle = findCycle(FEATURE_IMPORTS);
  const problems = cycle === null ? [] : [`FEATURE_IMPORTS has a cycle: ${cycle.join(' → ')}`];
  for (const match of globSync('**/*.{ts,tsx}', { cwd: path.join(ROOT, SOURCE) })) {
    const file = match.replaceAll(path.sep, '/');
    const source = readFileSync(path.join(ROOT, SOURCE, file), 'utf8');
    for (const { line, text } of findForbiddenImports(file, source))
      problems.push(`${SOURCE}/${file}:${line}: ${text}`);
  }
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
