import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = '/sys/fs/cgroup';
/** Short, so that a process which has used its share pauses for a short time only. */
const PERIOD_US = 10_000;
const REMOVE_TRIES = 20;

/**
 * Limits a process with all its threads to a share of a core, by a control group of either version.
 * https://docs.kernel.org/scheduler/sched-bwc.html
 * @returns what removes the group, after the process has ended; null if the system does not allow it
 */
export function limitCpu(pid: number, share: number): AsyncDisposable | null {
  const quotaUs = Math.round(PERIOD_US * share);
  const parent = findParent();
  if (parent === null) return null;
  const group = path.join(parent.folder, `tollgate-bench-${pid}`);
  const write = (file: string, text: string) => writeFileSync(path.join(group, file), text);
  try {
    mkdirSync(group);
    if (parent.version === 2) write('cpu.max', `${quotaUs} ${PERIOD_US}`);
    else {
      write('cpu.cfs_period_us', String(PERIOD_US));
      write('cpu.cfs_quota_us', String(quotaUs));
    }
    write('cgroup.procs', String(pid));
  } catch {
    return null;
  }
  return { [Symbol.asyncDispose]: () => remove(group) };
}

function findParent(): { folder: string; version: 1 | 2 } | null {
  if (existsSync(`${ROOT}/cpu/cpu.cfs_quota_us`) || existsSync(`${ROOT}/cpu/tasks`))
    return { folder: `${ROOT}/cpu`, version: 1 };
  const controllers = `${ROOT}/cgroup.subtree_control`;
  if (existsSync(controllers) && readFileSync(controllers, 'utf8').split(/\s/).includes('cpu'))
    return { folder: ROOT, version: 2 };
  return null;
}

/** The kernel removes a group a moment after its last process has ended. */
async function remove(group: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      rmdirSync(group);
      return;
    } catch (error) {
      if (tries === REMOVE_TRIES) throw error;
      await sleep(50);
    }
  }
}
