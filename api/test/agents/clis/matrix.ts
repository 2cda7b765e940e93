import type { Dialect } from '@tollgate/core/models/dialect';
import { FORMATS, readRows, writeSection } from './matrix-section.ts';

const HEAD = [
  '| client | API format | provider | model | | first answer | seconds | hold | cached |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
];
/** A line that the tests write. */
const ROW =
  /^\| [^|]+ \d[^|]* \| [a-z ]+ \| [a-z ]+ \| [^|]+ \| (?:native|translated) \| \d+\.\d \| \d+\.\d \| \$\d+\.\d{2} \| \d+% \|$/;

interface MatrixRow {
  /** Name and version. */
  client: string;
  from: Dialect;
  /** Path of the provider's endpoint. */
  to: string;
  model: string;
  /** Until the agent gets the first byte of its first answer. */
  firstAnswerSeconds: number;
  /** Of the whole task. */
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
    add({ client, from, to, model, firstAnswerSeconds, seconds, holdNanoUsd, cached }: MatrixRow): void {
      const formats = [FORMATS[from], FORMATS[to]];
      const cells = [
        client,
        ...formats,
        model,
        formats[0] === formats[1] ? 'native' : 'translated',
        firstAnswerSeconds.toFixed(1),
        seconds.toFixed(1),
        `$${(Number(holdNanoUsd) / 1e9).toFixed(2)}`,
        `${Math.round(100 * cached)}%`,
      ];
      const row = `| ${cells.join(' | ')} |`;
      process.stdout.write(`${row}\n`);
      rows.push(row);
    },
    save(): void {
      writeSection('matrix', [...HEAD, ...rows.toSorted()]);
    },
  };
}

/** @returns the lines of the matrix that the tests would not write */
export function findMatrixProblems(): string[] {
  const rows = readRows('matrix');
  return rows.length === 0 ? ['The matrix is empty'] : rows.filter((row) => !ROW.test(row));
}
