import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** From this share on, the figures say more of the other programs than of the servers. */
export const BUSY = 0.05;
const SAMPLE_MS = 1_500;

/**
 * How busy the cores are while the benchmark does nothing, as a share of them. Whatever shows up here takes time from
 * the measured servers and makes delays longer, so that a reader must know of it.
 */
export async function measureBackgroundLoad(cores: readonly number[], signal: AbortSignal): Promise<number> {
  const before = sumCores(readFileSync('/proc/stat', 'utf8'), cores);
  await sleep(SAMPLE_MS, undefined, { signal });
  return computeBusyShare(before, sumCores(readFileSync('/proc/stat', 'utf8'), cores));
}

/** Clock ticks of a core since the start of the machine. */
interface Ticks {
  busy: number;
  all: number;
}

export function readCore(core: number): Ticks {
  return sumCores(readFileSync('/proc/stat', 'utf8'), [core]);
}

export function computeBusyShare(before: Ticks, after: Ticks): number {
  return (after.busy - before.busy) / (after.all - before.all);
}

/** Sums clock ticks over the cores. Fields of a line: user nice system idle iowait irq softirq steal. */
export function sumCores(procStat: string, cores: readonly number[]): Ticks {
  const sum = { busy: 0, all: 0 };
  for (const core of cores) {
    const line = procStat.split('\n').find((text) => text.startsWith(`cpu${core} `)) ?? '';
    const ticks = line.split(' ').slice(1, 9).map(Number);
    const all = ticks.reduce((total, value) => total + value, 0);
    sum.all += all;
    sum.busy += all - (ticks[3] ?? 0) - (ticks[4] ?? 0);
  }
  return sum;
}
