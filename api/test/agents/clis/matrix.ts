import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Dialect } from '@tollgate/core/models/dialect';

const FILE = path.resolve(import.meta.dirname, '../../../../docs/clients/README.md');
const START = '<!-- matrix: start. A test run writes this section. -->';
const END = '<!-- matrix: end -->';
const HEAD = [
  '| client | API format | provider | model | | seconds | hold | cached |',
  '| --- | --- | --- | --- | --- | --- | --- | --- |',
];
/** A line that the tests write. */
const ROW =
  /^\| [^|]+ \d[^|]* \| [a-z ]+ \| [a-z ]+ \| [^|]+ \| (?:native|translated) \| \d+\.\d \| \$\d+\.\d{2} \| \d+% \|$/;

const FORMATS: Readonly<Record<string, string>> = {
  'openai-chat': 'chat completions',
  'openai-responses': 'responses',
  'anthropic-messages': 'messages',
  '/v1/chat/completions': 'chat completions',
  '/v1/responses': 'responses',
  '/v1/messages': 'messages',
};

interface MatrixRow {
  /** Name and version. */
  client: string;
  from: Dialect;
  /** Path of the provider's endpoint. */
  to: string;
  model: string;
  seconds: number;
  /** Of the first request. */
  holdNanoUsd: bigint;
  /** The share of the input that the provider read from its prompt cache. */
  cached: number;
}

/** The table of tested combinations. */
export function createMatrix() {
  const rows: string[] = [];
  return {
    add({ client, from, to, model, seconds, holdNanoUsd, cached }: MatrixRow): void {
      const formats = [FORMATS[from], FORMATS[to]];
      const cells = [
        client,
        ...formats,
        model,
        formats[0] === formats[1] ? 'native' : 'translated',
        seconds.toFixed(1),
        `$${(Number(holdNanoUsd) / 1e9).toFixed(2)}`,
        `${Math.round(100 * cached)}%`,
      ];
      const row = `| ${cells.join(' | ')} |`;
      process.stdout.write(`${row}\n`);
      rows.push(row);
    },
    async save(): Promise<void> {
      const { before, after } = splitAtMatrix(await readFile(FILE, 'utf8'));
      const table = [...HEAD, ...rows.toSorted()].join('\n');
      await writeFile(FILE, `${before}${START}\n\n${table}\n\n${END}${after}`);
    },
  };
}

/** @returns the lines of the matrix that the tests would not write */
export async function findMatrixFaults(): Promise<string[]> {
  const { table } = splitAtMatrix(await readFile(FILE, 'utf8'));
  const lines = table.split('\n').filter((line) => line !== '');
  const rows = lines.slice(2).map((line) => line.replaceAll(/ +/g, ' '));
  if (rows.length === 0) return ['The matrix is empty'];
  return rows.filter((row) => !ROW.test(row));
}

function splitAtMatrix(text: string): { before: string; table: string; after: string } {
  const start = text.indexOf(START);
  const end = text.indexOf(END);
  if (start < 0 || end < start) throw new Error('docs/clients/README.md has no section for the matrix');
  return {
    before: text.slice(0, start),
    table: text.slice(start + START.length, end),
    after: text.slice(end + END.length),
  };
}
