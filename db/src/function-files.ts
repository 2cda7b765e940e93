import { existsSync, readdirSync, readFileSync } from 'node:fs';

const FUNCTIONS_DIR = new URL('../functions/', import.meta.url);
const LINE = /^([0-9a-f]{64}|removed) {2}(\w+)\.sql$/gm;

/** One SQL function, or aggregate, of this name. */
export interface SqlFunction {
  name: string;
  sql: string;
}

/** The SQL functions of a release. */
export interface FunctionSet {
  /** Increases with every released change of a function. */
  revision: number;
  /** By name. */
  functions: readonly SqlFunction[];
  /** Names of functions that earlier releases had. */
  removed: readonly string[];
}

/** Reads the SQL functions of this checkout. */
export function readFunctions(): FunctionSet {
  const files = readdirSync(FUNCTIONS_DIR).filter((file) => file.endsWith('.sql'));
  return createFunctionSet(
    files.map((file) => ({
      name: file.slice(0, -'.sql'.length),
      sql: readFileSync(new URL(file, FUNCTIONS_DIR), 'utf8'),
    })),
    readHistory(),
  );
}

/** The revision of this checkout's functions, without reading the functions. */
export function functionRevision(): number {
  return parseFunctionHistory(readHistory()).length;
}

/** @param history text of db/functions/checksums.txt */
export function createFunctionSet(functions: readonly SqlFunction[], history: string): FunctionSet {
  const lines = parseFunctionHistory(history);
  const present = new Set(functions.map(({ name }) => name));
  const removed = new Set(lines.map(({ name }) => name).filter((name) => !present.has(name)));
  return {
    revision: lines.length,
    functions: functions.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    removed: [...removed],
  };
}

/** One released change of a function. */
export interface FunctionChange {
  name: string;
  /** null: the function was removed. */
  checksum: string | null;
}

/** Reads db/functions/checksums.txt: a line for each released text, the oldest first. */
export function parseFunctionHistory(text: string): FunctionChange[] {
  return [...text.matchAll(LINE)].map(([, checksum = '', name = '']) => ({
    name,
    checksum: checksum === 'removed' ? null : checksum,
  }));
}

function readHistory(): string {
  const file = new URL('checksums.txt', FUNCTIONS_DIR);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
