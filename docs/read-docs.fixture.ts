import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '..');

/** `npm start` and `npm run build` write it. */
const BUILT_API = 'api/dist/main.mjs';

export function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** True for a file or folder of a checkout, also if a build writes it. */
export function isInCheckout(file: string): boolean {
  return existsSync(path.join(ROOT, file)) || file === BUILT_API;
}

/** Documents of the current release. Decisions describe the state at their date. */
export const CURRENT = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/architecture.md',
  'docs/operations.md',
  'docs/dialects.md',
  'docs/token-counts.md',
  'docs/glossary.md',
];
export const ALL = [...CURRENT, ...globSync('docs/decisions/*.md', { cwd: ROOT })];

/** The rows of the first table after a text, as lists of cells, without the header. */
export function tableAfter(document: string, text: string): string[][] {
  const from = document.indexOf(text);
  if (from < 0) throw new Error(`The document does not contain "${text}"`);
  const lines = document.slice(from).split('\n');
  const first = lines.findIndex((line) => line.startsWith('|'));
  const rows = lines.slice(first);
  const length = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(2, length < 0 ? undefined : length).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Every text in backticks, outside fences. */
export function codeIn(document: string): string[] {
  return [...document.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(
    (match) => match[1] ?? '',
  );
}

/** The lines of every fence. Lines with a trailing backslash are joined with the next one. */
export function fencedLines(document: string): string[] {
  return [...document.matchAll(/```\w*\n([\s\S]*?)```/g)].flatMap((match) =>
    (match[1] ?? '').replaceAll('\\\n', ' ').split('\n'),
  );
}

const FACTOR = String.raw`(?:\d[\d_]*(?:\.\d+)?n?|[A-Z][A-Z\d_]*)`;
const PRODUCT = String.raw`${FACTOR}(?: [*/] ${FACTOR})*`;

/**
 * The value of a constant in a source file: `NAME = 32 * MINUTE_MS`, `name: 10_000`, `outer.name` of an object in one line,
 * or what the first group of an expression finds.
 * @throws Error if it is not a product or quotient of numbers and other constants of the file
 */
export function productIn(file: string, name: string | RegExp): number {
  const path = String(name)
    .split('.')
    .join(String.raw`: \{[^}\n]*\b`);
  const expression =
    typeof name === 'string' ? new RegExp(String.raw`\b${path}(?: =|:) (${PRODUCT})[;,\s}]`) : name;
  const found = expression.exec(read(file))?.[1]?.trim() ?? '';
  if (!new RegExp(`^${PRODUCT}$`).test(found)) throw new Error(`${file} has no constant ${String(name)}`);
  const [first = '', ...rest] = found.split(' ');
  let value = getFactor(file, first);
  for (let at = 0; at < rest.length; at += 2) {
    const factor = getFactor(file, rest[at + 1] ?? '');
    value = rest[at] === '/' ? value / factor : value * factor;
  }
  return value;
}

function getFactor(file: string, factor: string): number {
  return /^\d/.test(factor) ? Number(factor.replaceAll(/[_n]/g, '')) : productIn(file, factor);
}

/** Every source file in a folder, except tests. */
export function listSources(folder: string): string[] {
  return globSync(`${folder}/**/*.{ts,tsx,mjs}`, {
    cwd: ROOT,
    exclude: (name) => /node_modules|^dist$/.test(name),
  })
    .filter((file) => !/node_modules|\/dist\/|\.(?:test|spec|fixture)\.|\/(?:test|testing|e2e)\//.test(file))
    .toSorted();
}
