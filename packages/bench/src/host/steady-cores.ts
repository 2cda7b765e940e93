import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Tools } from './tools.ts';

/**
 * A core that has nothing to do falls asleep, and a virtual machine may be a millisecond late to wake it: at a low rate
 * that would be most of what is measured. Until it is disposed, cores wait awake.
 * https://docs.kernel.org/power/pm_qos_interface.html
 * @returns null where the system does not allow it: only the superuser may
 */
export function keepAwake(): Disposable | null {
  try {
    const file = openSync('/dev/cpu_dma_latency', 'w');
    writeSync(file, Buffer.alloc(4));
    return { [Symbol.dispose]: () => closeSync(file) };
  } catch {
    return null;
  }
}

/**
 * The load generator and the provider share their core with the database: while they have something to do, it waits, or its work
 * would count as waiting for an answer.
 * @returns null where the system does not allow it: only the superuser may
 */
export function goFirst({ chrt }: Tools): Disposable | null {
  const schedule = (policy: string, priority: number) =>
    // All threads, or one that goes first would spin for one that cannot run.
    execFileSync(chrt, ['--all-tasks', policy, '--pid', String(priority), String(process.pid)], {
      stdio: 'ignore',
    });
  try {
    schedule('--rr', 1);
  } catch {
    return null;
  }
  return { [Symbol.dispose]: () => schedule('--other', 0) };
}
