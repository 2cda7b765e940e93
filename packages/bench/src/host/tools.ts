import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Programs that the benchmark does not bring along, and Debian's package of each. */
const PACKAGES = { wrk: 'wrk', nginx: 'nginx-light', taskset: 'util-linux', chrt: 'util-linux' } as const;
type Tool = keyof typeof PACKAGES;

/** Where each program is. `/usr/sbin`, where Debian puts nginx, is not on the PATH of every user. */
export type Tools = Record<Tool, string>;

/**
 * Finds the programs that the benchmark runs.
 * @throws Error with one line that says what to install
 */
export function findTools(searchPath: string): Tools {
  const folders = [...searchPath.split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];
  const tools = {
    wrk: find('wrk', folders),
    nginx: find('nginx', folders),
    taskset: find('taskset', folders),
    chrt: find('chrt', folders),
  };
  const missing = (['wrk', 'nginx', 'taskset', 'chrt'] as const).filter((tool) => tools[tool] === '');
  if (missing.length === 0) return tools;
  const packages = [...new Set(missing.map((tool) => PACKAGES[tool]))].join(' ');
  throw new Error(`The benchmark needs ${missing.join(', ')}: apt-get install ${packages}`);
}

function find(tool: string, folders: readonly string[]): string {
  for (const folder of folders) {
    const file = path.join(folder, tool);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return '';
}
