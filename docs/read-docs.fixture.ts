import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '..');

export function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** What describes the current release. Decisions describe the day on which they were made. */
export const CURRENT = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/architecture.md',
  'docs/operations.md',
  'docs/dialects.md',
  'docs/token-counts.md',
];
export const ALL = [...CURRENT, ...globSync('docs/decisions/*.md', { cwd: ROOT })];

/** The rows of the first table after a text, without its header, a list of cells each. */
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

/** Every text in backticks, outside of fences. */
export function codeIn(document: string): string[] {
  return [...document.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(
    (match) => match[1] ?? '',
  );
}

/** The lines of every fence; lines that end with a backslash are joined with the next one. */
export function fencedLines(document: string): string[] {
  return [...document.matchAll(/```\w*\n([\s\S]*?)```/g)].flatMap((match) =>
    (match[1] ?? '').replaceAll('\\\n', ' ').split('\n'),
  );
}

/**
 * The value of a constant in a source file: `NAME = 32 * MINUTE_MS`, `name: 10_000`, or `outer.name` of an object in one line.
 * @throws Error if it is not a product of numbers and other constants of the file
 */
export function constantIn(file: string, name: string): number {
  const path = name.split('.').join(String.raw`: \{[^}\n]*\b`);
  const value = String.raw`(\d[\d_]*|[A-Z][A-Z\d_]*)( \* (\d[\d_]*|[A-Z][A-Z\d_]*))*`;
  const match = new RegExp(String.raw`\b${path}(?: =|:) (?<product>${value})[;,\s}]`).exec(read(file));
  const product = match?.groups?.['product'] ?? '';
  if (product.trim() === '') throw new Error(`${file} has no constant ${name}`);
  return product.split('*').reduce((value, factor) => value * factorOf(file, factor.trim()), 1);
}

function factorOf(file: string, factor: string): number {
  if (!/^\d/.test(factor)) return constantIn(file, factor);
  const value = Number(factor.replaceAll('_', ''));
  if (Number.isNaN(value)) throw new Error(`${file}: ${factor} is not a number`);
  return value;
}
