import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Which core runs what: only the server under test on one, everything else on the other. */
export interface Cores {
  underTest: number;
  load: number;
}

/**
 * Takes the first two cores that this process may run on, or those given as `0,1`.
 * @throws Error if there are fewer than two: load and server would then take time from each other
 */
export function chooseCores(given: string | undefined): Cores {
  const [underTest, load] = given === undefined ? allowedCores() : parseCpuList(given);
  if (underTest === undefined || load === undefined)
    throw new Error('The benchmark needs two processor cores: one for the server, one for the load');
  return { underTest, load };
}

/** `taskset` fails if one of the threads ends while it goes through them. */
const PIN_TRIES = 5;

/** Moves this process, and with it all that it starts afterwards, to a core. */
export function pinSelf(taskset: string, core: number): void {
  const args = ['--all-tasks', '--cpu-list', '--pid', String(core), String(process.pid)];
  for (let tries = 1; ; tries += 1) {
    try {
      execFileSync(taskset, args, { stdio: 'ignore' });
      return;
    } catch (error) {
      if (tries === PIN_TRIES) throw error;
    }
  }
}

function allowedCores(): number[] {
  const status = readFileSync('/proc/self/status', 'utf8');
  return parseCpuList(/^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1] ?? '');
}

/** Reads the kernel's list format: `0-2,5` → 0, 1, 2, 5. */
export function parseCpuList(list: string): number[] {
  return list.split(',').flatMap((part) => {
    const [first = '', last = first] = part.split('-');
    if (!/^\d+$/.test(first) || !/^\d+$/.test(last)) throw new Error(`Not a list of cores: ${list}`);
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index);
  });
}
