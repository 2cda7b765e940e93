import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const PATH_IN_CODE = /`((?:\.?[a-z][\w.-]*\/)*[\w.-]+\.(?:tsx?|mjs|sql|json|md|ya?ml))`/g;

it.each(['docs/architecture.md', 'docs/operations.md', 'README.md', 'CONTRIBUTING.md'])(
  'every file that %s names exists',
  (document) => {
    const text = readFileSync(path.join(root, document), 'utf8');
    const named = [...text.matchAll(PATH_IN_CODE)].map((match) => match[1] ?? '');
    expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  },
);
