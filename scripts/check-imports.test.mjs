import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { FEATURE_IMPORTS, findCycle, findForbiddenImports, LAYERS } from './check-imports.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const architecture = readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8');

it.each([
  ['a feature that imports app', 'features/keys/page.tsx', '../../app/router.tsx'],
  ['a component that imports a feature', 'components/ui/card.tsx', '../../features/keys/page.tsx'],
  ['lib that imports a component', 'lib/session.ts', '../components/ui/card.tsx'],
  ['a feature that imports another one', 'features/usage/page.tsx', '../keys/page.tsx'],
  ['a listed import in the other direction', 'features/requests/page.tsx', '../keys/page.tsx'],
])('finds %s', (_name, file, specifier) => {
  expect(findForbiddenImports(file, `\nimport { page } from '${specifier}';`)).toMatchObject([{ line: 2 }]);
});

it.each([
  ['of types', "import type { Page } from '../usage/page.tsx';"],
  ['that are re-exported', "export { page } from '../usage/page.tsx';"],
  ['on demand', "const page = () => import('../usage/page.tsx');"],
])('finds forbidden imports %s', (_name, source) => {
  expect(findForbiddenImports('features/billing/page.tsx', source)).toHaveLength(1);
});

it('accepts imports in the stated direction, within a feature, of packages and outside of the source', () => {
  const source = [
    "import { page } from '../../usage/page.tsx';",
    "import { row } from '../row.tsx';",
    "import { Card } from '../../../components/ui/card.tsx';",
    "import { useQuery } from '@tanstack/react-query';",
    "import type { AppRouter } from '../../../../server/router.ts';",
  ].join('\n');
  expect(findForbiddenImports('features/keys/key-page/key.tsx', source)).toEqual([]);
});

it('finds a cycle between features', () => {
  expect(findCycle({ a: ['b'], b: ['c'], c: ['b'] })).toEqual(['b', 'c', 'b']);
  expect(findCycle({ a: ['b', 'c'], b: ['c'] })).toBeNull();
  expect(findCycle(FEATURE_IMPORTS)).toBeNull();
});

it('the document of the architecture states the same directions', () => {
  expect(architecture).toContain(`\`${LAYERS.join(' ← ')}\``);
  const [, stated = ''] = /Between features: (.*?)\.\s/s.exec(architecture) ?? [];
  const arrows = [...stated.matchAll(/`([^`]+) ← ([^`]+)`/g)].map(([, to, from]) => [from, to.split(', ')]);
  expect(Object.fromEntries(arrows)).toEqual(FEATURE_IMPORTS);
});

it('lint finds a cycle of types only', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cycle-'));
  try {
    writeFileSync(path.join(folder, 'a.ts'), "import type { B } from './b.ts';\nexport type A = B[];\n");
    writeFileSync(path.join(folder, 'b.ts'), "import type { A } from './a.ts';\nexport type B = { a: A };\n");
    const { stdout } = spawnSync(
      path.join(ROOT, 'node_modules/.bin/oxlint'),
      ['-c', path.join(ROOT, '.oxlintrc.json'), folder],
      { encoding: 'utf8' },
    );
    expect(stdout.match(/import\(no-cycle\)/g)).toHaveLength(2);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
