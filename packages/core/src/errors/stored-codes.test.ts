import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ERROR_TABLE } from './errors.ts';
import { explainCode } from './explain-code.ts';
import { STORED_CODES } from './stored-codes.ts';

const ROOT = path.join(import.meta.dirname, '../../../..');
/** The code that ends requests, or writes their records. */
const FOLDERS = [
  'api/src',
  'packages/ledger/src',
  'packages/cli/src',
  'db/src/queries/ledger',
  'db/functions',
];
const WRITTEN = [
  /\berrorCode: '([a-z0-9_]+)'/g,
  /\bcode: '((?:upstream|model|gateway|ledger|account|budget|rate_limit|request|internal|no_route)_?[a-z0-9_]*)'/g,
  /\bdeny\(\s*'([a-z0-9_]+)'/g,
  /_CODE = '([a-z0-9_]+)'/g,
  /return '((?:upstream|client|replica)_[a-z_]+)'/g,
  /error_code (?:=|<>) '([a-z0-9_]+)'/g,
];

function listSources(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|sql)$/.test(entry.name))
    .filter(({ name }) => !/\.(?:test|fixture)\.ts$/.test(name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

it('explain every code that the code of the gateway records', () => {
  const found = new Map<string, string>();
  for (const file of FOLDERS.flatMap(listSources)) {
    const text = readFileSync(file, 'utf8');
    for (const pattern of WRITTEN)
      for (const [, code = ''] of text.matchAll(pattern)) found.set(code, path.relative(ROOT, file));
  }
  // A pattern that finds nothing would prove nothing.
  for (const known of [
    'upstream_rejected',
    'client_gone',
    'replica_lost',
    'upstream_paused',
    'model_without_route',
  ])
    expect([...found.keys()]).toContain(known);
  const unknown = [...found].filter(([code]) => !STORED_CODES.some((stored) => stored === code));
  expect(unknown).toEqual([]);
});

it.each(STORED_CODES)('explain %s to its caller and to operators', (code) => {
  const explained = explainCode(code);
  expect(explained?.caller).toMatch(/^[A-Z][^`]+\.$/);
  expect(explained?.operator).toMatch(/^[A-Z][^`]+\.$/);
});

it('contain every error of the API', () => {
  expect(STORED_CODES).toEqual(expect.arrayContaining(Object.keys(ERROR_TABLE)));
  expect(new Set(STORED_CODES).size).toBe(STORED_CODES.length);
});

it('have a separate explanation for each failure of a provider', () => {
  const upstream = STORED_CODES.filter((code) => /^(?:upstream|model|no_route)/.test(code)).map(explainCode);
  expect(new Set(upstream.map((each) => each?.caller)).size).toBe(upstream.length);
  expect(new Set(upstream.map((each) => each?.operator)).size).toBe(upstream.length);
});

it('explain nothing that is not a code', () => {
  for (const code of ['', 'nonsense', 'toString', '__proto__']) expect(explainCode(code)).toBeNull();
});
