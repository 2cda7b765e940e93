import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FILE = path.resolve(import.meta.dirname, '../../../../docs/clients/README.md');

/** The tables of tested clients that test runs write. */
export type MatrixName = 'matrix' | 'Python matrix';

/** Replaces a table. Several test files may do this, so nothing happens between reading and writing. */
export function writeSection(name: MatrixName, lines: readonly string[]): void {
  const { before, after } = split(name);
  writeFileSync(FILE, `${before}\n\n${lines.join('\n')}\n\n${after}`);
}

/** The rows of a table, without its head; cells have one space on each side. */
export function readRows(name: MatrixName): string[] {
  const lines = split(name)
    .table.split('\n')
    .filter((line) => line !== '');
  return lines.slice(2).map((line) => line.replaceAll(/ +/g, ' '));
}

function split(name: MatrixName): { before: string; table: string; after: string } {
  const text = readFileSync(FILE, 'utf8');
  const start = `<!-- ${name}: start. A test run writes this section. -->`;
  const end = `<!-- ${name}: end -->`;
  const from = text.indexOf(start) + start.length;
  const to = text.indexOf(end);
  if (from < start.length || to < from)
    throw new Error(`docs/clients/README.md has no section for the ${name}`);
  return { before: text.slice(0, from), table: text.slice(from, to), after: text.slice(to) };
}

/** Names of API formats, by dialect and by path of an endpoint. */
export const FORMATS: Readonly<Record<string, string>> = {
  'openai-chat': 'chat completions',
  'openai-responses': 'responses',
  'anthropic-messages': 'messages',
  '/v1/chat/completions': 'chat completions',
  '/v1/responses': 'responses',
  '/v1/messages': 'messages',
};
