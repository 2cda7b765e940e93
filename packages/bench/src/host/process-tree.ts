import { readdirSync, readFileSync } from 'node:fs';
import { readCpuSeconds } from './process-usage.ts';

/** The children of a process, as the kernel lists them for each thread. */
export function listChildren(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      .split(' ')
      .filter((id) => id !== '')
      .map(Number),
  );
}

/** A process with its children and theirs. */
function listTree(pid: number): number[] {
  return [pid, ...listChildren(pid).flatMap(listTree)];
}

/** Processor time that a process and all its present descendants have used, in seconds. */
export function readTreeCpuSeconds(pid: number): number {
  return listTree(pid).reduce((sum, id) => sum + readCpuSeconds(id), 0);
}
